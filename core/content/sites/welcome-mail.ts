import type { Knex } from 'knex';
import type { SiteRef } from '../../api/module.ts';
import { Database } from '../../db/database.ts';
import { Addresses } from '../../http/addresses.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { noReply } from '../../mail/letterhead.ts';
import { mailJob } from '../../mail/mail-job.ts';
import type { MailMessage } from '../../mail/message.ts';
import { type NewSiteContext, readContext } from './new-site-store.ts';
import { showSite } from './site-record.ts';
import { findSite } from './site-store.ts';

interface WelcomePayload {
  /** The new site's administrator. */
  readonly user_id: number;
}

const wordingOf = ({ options }: NewSiteContext): string | null =>
  (options.welcome_email ?? '').trim() === '' ? null : (options.welcome_email ?? null);

/** Greets the administrator of a new site, where its network has words for that. A job of the module `host`. */
export const welcomeMailJob = mailJob<WelcomePayload>({
  id: 'host.welcome-mail',
  title: 'Mail to the administrator of a new site',
  write: async (job) => {
    const db = job.get(Database);
    const { network_id, blog_id } = job.site;
    const context = await db.transaction((trx) => readContext(db, trx, network_id, job.payload.user_id));
    const site = await findSite(db, blog_id);
    const wording = context && wordingOf(context);
    if (!site || !wording) return null;
    return welcomeMail(context, wording, showSite(site, job.get(Addresses)));
  },
});

/** In the transaction that opens the site: the mail goes out when that has ended, and only then. */
export async function enqueueWelcome(
  jobs: Jobs,
  trx: Knex.Transaction,
  site: SiteRef,
  context: NewSiteContext,
): Promise<void> {
  if (wordingOf(context) === null) return;
  const payload: WelcomePayload = { user_id: context.user_id };
  const job = { type: welcomeMailJob.id, payload: { ...payload }, site, userId: null, startAfterSeconds: 0 };
  await jobs.enqueue(trx, job);
}

interface NewSiteLinks {
  readonly title: string;
  readonly site_url: string;
  readonly admin_url: string;
}

/** The network words it as text, and as text it goes. */
function welcomeMail(
  { options, login, email, domain }: NewSiteContext,
  wording: string,
  site: NewSiteLinks,
): MailMessage {
  const name = options.site_name ?? domain;
  const values: Readonly<Record<string, string>> = {
    SITE_NAME: name,
    BLOG_URL: site.site_url,
    USERNAME: login,
    LOGINLINK: site.admin_url,
  };
  return {
    from: { name, address: options.admin_email || noReply(domain) },
    to: email,
    subject: `New ${name} site: ${site.title}`,
    // In one pass: what a title brings in is not read again.
    text: wording.replaceAll(/SITE_NAME|BLOG_URL|USERNAME|LOGINLINK/g, (word) => values[word] ?? word),
  };
}
