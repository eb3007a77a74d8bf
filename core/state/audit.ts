import type { Knex } from 'knex';
import type { Call } from '../api/call.ts';

/** One audited change. `subject` is `type:id`; `from` and `to` hold what changed, secrets masked. */
export interface AuditEntry {
  readonly module: string;
  readonly action: string;
  readonly subject: string;
  readonly scope?: string;
  /** The site that was changed; null for a change of the network. Default: the call's site. */
  readonly blogId?: number | null;
  readonly networkId?: number;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Writes the row in the transaction of the change, so that neither is without the other. */
export async function audit(trx: Knex.Transaction, call: Call, entry: AuditEntry): Promise<void> {
  await trx('audit_log').insert({
    user_id: call.user?.id ?? null,
    user_login: call.user?.login ?? null,
    ip: call.ip,
    request_id: call.requestId,
    network_id: entry.networkId ?? call.site.network_id,
    blog_id: entry.blogId === undefined ? call.site.blog_id : entry.blogId,
    module: entry.module,
    action: entry.action,
    scope: entry.scope ?? null,
    subject: entry.subject,
    from: JSON.stringify(entry.from ?? null),
    to: JSON.stringify(entry.to ?? null),
  });
}
