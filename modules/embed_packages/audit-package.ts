import { audit, type Call } from '@lyceum/core';
import type { Knex } from 'knex';
import type { Package } from './package.ts';

export type Act = 'create' | 'content' | 'update' | 'delete' | 'materialize' | 'bind' | 'unbind';

/** Notes who did what with which package, and which content it had then. */
export const auditPackage = (
  trx: Knex.Transaction,
  call: Call,
  act: Act,
  { id, content_hash }: Pick<Package, 'id' | 'content_hash'>,
  more: Readonly<Record<string, unknown>>,
): Promise<void> =>
  audit(trx, call, {
    module: 'embed_packages',
    action: `package.${act}`,
    subject: `embed_package:${id}`,
    to: { package_id: id, content_hash, ...more },
  });
