import {
  composeMail,
  Database,
  type JobRun,
  Letterheads,
  languageFor,
  type MailMessage,
  mailJob,
  timeInWords,
} from '@lyceum/core';
import { LinkStore } from './link-store.ts';
import { mailWords } from './mail-words.ts';
import { drawToken, hashToken, linkUrl } from './token.ts';

export const mailLinkType = 'magic_links.mail';

interface LinkPayload {
  readonly link_id: number;
}

interface Addressee {
  readonly email: string;
  readonly locale: string;
  readonly lifetime: number;
}

const links = new LinkStore();

/** Draws a token, keeps its hash, and mails the link. A repeated try draws another one; the earlier link is dead. */
export const mailLink = mailJob<LinkPayload>({
  id: mailLinkType,
  title: 'Mail with a link to sign in',
  write: async (job) => {
    const { link_id } = job.payload;
    const user = await links.addressee(job.get(Database).knex, link_id);
    if (!user) return null;
    const token = drawToken();
    let armed = false;
    await job.step(async (trx) => {
      armed = await links.arm(trx, link_id, hashToken(token));
      return {};
    });
    return armed ? letter(job, user, token) : null;
  },
  sent: (trx, { link_id }) => links.markSent(trx, link_id),
  failed: (trx, { link_id }) => links.markFailed(trx, link_id),
});

async function letter(
  job: JobRun<LinkPayload>,
  { email, locale, lifetime }: Addressee,
  token: string,
): Promise<MailMessage | null> {
  const head = await job.get(Letterheads).of(job.site.blog_id);
  if (!head) return null;
  const language = languageFor(locale, head.language);
  const words = mailWords[language];
  return composeMail(head, {
    to: email,
    language,
    subject: (await job.setting<string>('mail_subject')) || words.subject,
    text: (await job.setting<string>('mail_text')) || words.text,
    values: {
      link: linkUrl(head.url, await job.setting<string>('landing_url'), token),
      minutes: String(Math.ceil(lifetime / 60)),
      time: timeInWords(language, lifetime),
    },
    link: { name: 'link', label: words.button },
  });
}
