import { type Call, Database, fail } from '@lyceum/core';
import type { Knex } from 'knex';
import { type Project, ProjectStore } from '../stores/project-store.ts';

/** The one real sync of a project. */
export interface Turn {
  readonly project: Project;
  readonly syncId: string;
}

/**
 * Does work on a project while nobody else does. The lock is gone with its process; what is written is bound to the
 * turn besides, so that a sync whose lock was lost writes nothing after another one has begun.
 * @throws `local_sync_busy`
 */
export async function aloneWith<T>(call: Call, project: string, work: () => Promise<T>): Promise<T> {
  const name = `local_sync ${call.site.blog_id} ${project}`;
  const done = await call.get(Database).alone(name, work);
  return done ? done.result : fail('local_sync_busy');
}

/** A transaction of the turn. @throws `local_sync_busy` */
export function inTurn<T>(call: Call, turn: Turn, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  call.signal.throwIfAborted();
  return call.get(Database).transaction(async (trx) => {
    const { project, syncId } = turn;
    if (!(await call.get(ProjectStore).hasTurn(trx, project.project_id, syncId))) fail('local_sync_busy');
    return work(trx);
  });
}
