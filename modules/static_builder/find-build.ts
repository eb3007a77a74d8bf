import { type Call, Database, fail, idText, readId, yup } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Build } from './build.ts';
import { Builds } from './builds.ts';

/** Codes of `findBuild` and `lockBuild`. */
export const findErrors = ['svclms_static_builder_invalid_id', 'svclms_static_builder_not_found'] as const;

/** The path of one build. */
export const buildPath = () => yup.object({ id: idText() });

/** @throws `svclms_static_builder_invalid_id`; `svclms_static_builder_not_found` for a number too great to be one */
export function readBuildId(text: string): number {
  const id = readId(text);
  if (id !== null) return id;
  return fail(
    /^[1-9]\d{0,99}$/.test(text) ? 'svclms_static_builder_not_found' : 'svclms_static_builder_invalid_id',
  );
}

/** A build of the call's site. @throws `findErrors` */
export async function findBuild(call: Call, text: string, sql?: Knex): Promise<Build> {
  const { store } = call.get(Builds).parts;
  const id = readBuildId(text);
  const build = await store.find(sql ?? call.get(Database).knex, call.site.blog_id, id);
  return build ?? fail('svclms_static_builder_not_found');
}

/** The same, locked until the transaction ends. @throws `findErrors` */
export async function lockBuild(trx: Knex.Transaction, call: Call, text: string): Promise<Build> {
  const { store } = call.get(Builds).parts;
  return (
    (await store.lock(trx, call.site.blog_id, readBuildId(text))) ?? fail('svclms_static_builder_not_found')
  );
}
