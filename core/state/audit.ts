import type { Knex } from 'knex';
import type { Actor } from '../api/actor.ts';

/** One audited change. `subject` is `type:id`; `from` and `to` hold what changed, secrets masked. */
export interface AuditEntry {
  readonly module: string;
  readonly action: string;
  readonly subject: string;
  readonly scope?: string;
  /** The site that was changed; null for a change of the network. Default: the actor's site. */
  readonly blogId?: number | null;
  readonly networkId?: number;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Writes the row in the transaction of the change, so that neither is without the other. */
export async function audit(trx: Knex.Transaction, actor: Actor, entry: AuditEntry): Promise<void> {
  await trx('audit_log').insert({
    user_id: actor.user?.id ?? null,
    user_login: actor.user?.login ?? null,
    ip: actor.ip,
    request_id: actor.requestId,
    network_id: entry.networkId ?? actor.site.network_id,
    blog_id: entry.blogId === undefined ? actor.site.blog_id : entry.blogId,
    module: entry.module,
    action: entry.action,
    scope: entry.scope ?? null,
    subject: entry.subject,
    from: JSON.stringify(entry.from ?? null),
    to: JSON.stringify(entry.to ?? null),
  });
}
