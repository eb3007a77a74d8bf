import { Database, mailJob, writeWordedMail } from '@lyceum/core';
import { LinkStore } from './link-store.ts';
import { mailWords } from './mail-words.ts';
import { drawToken, hashToken, linkUrl } from './token.ts';

export const mailLinkType = 'magic_links.mail';

interface LinkPayload {
  readonly link_id: number;
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
    if (!armed) return null;
    const landingUrl = await job.setting<string>('landing_url');
    const at = (site: { readonly url: string }): string => linkUrl(site.url, landingUrl, token);
    const secret = { name: 'link', kind: 'link', at } as const;
    return writeWordedMail(job, { to: user, words: mailWords, lifetime: user.lifetime, secret });
  },
  sent: (trx, { link_id }) => links.markSent(trx, link_id),
  failed: (trx, { link_id }) => links.markFailed(trx, link_id),
});
