import {
  Addresses,
  audit,
  type Call,
  callerOf,
  created,
  Database,
  defineOperation,
  fail,
  id,
  invalidParams,
  isForeignKeyViolation,
  Jobs,
  sameSiteUrl,
  Users,
  word,
  yup,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { deliveries, type Link, linkExample, NewLinkRecord } from '../link.ts';
import { LinkStore, type NewLink } from '../link-store.ts';
import { mailLinkType } from '../mail-link.ts';
import { checkTarget } from '../target-rules.ts';
import { drawToken, hashToken, linkUrl } from '../token.ts';

const path = 'svc/magic-links/v1/links';
const shortest = 60;
const longestRedirect = 2_000;

/** Links of one user that may be live at a time. */
const mostLive = 20;

function lifetimeOf(call: Call, asked: number | undefined): number {
  const longest = call.setting<number>('max_ttl');
  if (asked !== undefined && asked > longest) invalidParams({ expires_in: `must be at most ${longest}` });
  return asked ?? Math.min(call.setting<number>('default_ttl'), longest);
}

function placeOf(call: Call, redirect: string | undefined): string | null {
  if (redirect === undefined) return null;
  return sameSiteUrl(call.site.url, redirect) ?? invalidParams({ redirect: 'must lead to this site' });
}

/** One transaction: the count, the link, its audit row, and the job that mails it. */
async function make(trx: Knex.Transaction, call: Call, wish: Omit<NewLink, 'for_member'>): Promise<Link> {
  const links = call.get(LinkStore);
  await call.get(Users).lock(trx, [wish.user_id]);
  const user = await call.get(Users).find(trx, call.site, wish.user_id);
  if (!user) return fail('magic_links_user_not_found');
  if ((await links.countLive(trx, wish.user_id)) >= mostLive) fail('magic_links_limit');
  const link = await links.insert(trx, { ...wish, for_member: user.role !== null }).catch(orLeft);
  await audit(trx, call, {
    module: 'magic_links',
    action: 'magic_links.create',
    subject: `link:${link.id}`,
    to: { user_id: link.user_id, delivery: link.delivery },
  });
  if (link.delivery === 'mail') {
    const { blog_id, network_id } = call.site;
    await call.get(Jobs).enqueue(trx, {
      type: mailLinkType,
      payload: { link_id: link.id },
      site: { blog_id, network_id },
      userId: wish.created_by,
      startAfterSeconds: 0,
    });
  }
  return link;
}

/** He left the site since he was looked at. */
function orLeft(error: unknown): never {
  if (isForeignKeyViolation(error)) fail('magic_links_user_not_found');
  throw error;
}

export const createLink = defineOperation({
  id: 'magic_links.create-link',
  method: 'POST',
  path,
  summary: 'Make a link that signs a user in once',
  description:
    'For oneself, or with `promote_users` for a member of the site who may do nothing that the caller may not. With `delivery: url` the link is in this answer and nowhere else; for others that needs `manage_network_users` on a multisite.',
  access: { can: 'read' },
  input: {
    body: yup.object({
      user_id: id().required(),
      delivery: word(...deliveries).default('mail'),
      expires_in: yup.number().integer().min(shortest),
      redirect: yup.string().max(longestRedirect),
    }),
  },
  success: 201,
  output: NewLinkRecord,
  errors: [
    'rest_forbidden',
    'rest_invalid_param',
    'magic_links_forbidden_user',
    'magic_links_user_not_found',
    'magic_links_limit',
  ],
  example: { body: { user_id: 5, delivery: 'mail', expires_in: 900 }, answer: linkExample },
  handle: async ({ body }, call) => {
    await checkTarget(call, body.user_id, body.delivery);
    const { blog_id, url: siteUrl } = call.site;
    const token = body.delivery === 'url' ? drawToken() : null;
    const wish = {
      blog_id,
      user_id: body.user_id,
      created_by: callerOf(call).id,
      delivery: body.delivery,
      redirect: placeOf(call, body.redirect),
      lifetime: lifetimeOf(call, body.expires_in),
      token_hash: token === null ? null : hashToken(token),
    };
    const link = await call.get(Database).transaction((trx) => make(trx, call, wish));
    const handed =
      token === null ? {} : { token, url: linkUrl(siteUrl, call.setting<string>('landing_url'), token) };
    return created({ ...link, ...handed }, call.get(Addresses).route(call.site, `${path}/${link.id}`));
  },
});
