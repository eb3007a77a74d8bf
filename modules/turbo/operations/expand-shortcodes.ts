import {
  type Call,
  callerOf,
  defineOperation,
  type Expansion,
  fail,
  id,
  inertHtml,
  PageRenderer,
  type Post,
  record,
  reply,
  Shortcodes,
  UnreasonableHtml,
  yup,
} from '@lyceum/core';
import { findPage, mayRead } from '../page.ts';
import { unkept } from './unkept.ts';

interface Wanted {
  readonly key: string;
  readonly shortcode: string;
}

interface Item {
  readonly html: string;
  readonly error: null | { readonly code: string; readonly message: string };
}

const most = 100;

const hasTwins = (list: readonly ({ readonly key?: unknown } | null)[] | undefined): boolean =>
  new Set(list?.map((one) => one?.key)).size !== (list?.length ?? 0);

const Body = yup.object({
  page_id: id().required(),
  shortcodes: yup
    .array()
    .of(
      yup
        .object({
          key: yup.string().min(1).max(64).required(),
          shortcode: yup.string().min(1).max(2000).required(),
        })
        .required(),
    )
    .min(1)
    .max(most)
    .required()
    .test('keys', 'must not have a key twice', (list) => !hasTwins(list)),
});

const itemSchema = {
  type: 'object',
  properties: {
    html: { type: 'string' },
    error: {
      type: ['object', 'null'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
      required: ['code', 'message'],
    },
  },
  required: ['html', 'error'],
};

export const expandShortcodes = defineOperation({
  id: 'turbo.expand-shortcodes',
  method: 'POST',
  path: 'svclms/turbo/v1/dsh/expand',
  summary: 'Parts of a page that depend on who looks, as HTML',
  description:
    'A shortcode is rendered only if it stands in the page as it is now. Where one cannot be, its item says why: ' +
    'turbo_dsh_not_on_page, turbo_dsh_unknown, turbo_dsh_bad_attributes or turbo_dsh_failed.',
  access: { signedIn: true },
  contract: true,
  input: { body: Body },
  maxBodyBytes: 256 * 1024,
  output: yup.object({
    page_id: yup.number().integer().required(),
    user_id: yup.number().integer().required(),
    items: record(itemSchema).required(),
  }),
  errors: ['turbo_page_not_found'],
  handle: async ({ body }, call) => {
    const page = await findPage(call, body.page_id);
    if (!mayRead(call, page)) fail('turbo_page_not_found');
    const content = call.get(PageRenderer).content(page);
    const items = await Promise.all(
      body.shortcodes.map(async ({ key, shortcode }) => [
        key,
        await itemOf(call, page, content, { key, shortcode }),
      ]),
    );
    const answer = { page_id: page.id, user_id: callerOf(call).id, items: Object.fromEntries(items) };
    return reply(answer, { headers: unkept });
  },
});

const refused = (code: string, message: string): Item => ({ html: '', error: { code, message } });

async function itemOf(call: Call, page: Post, content: string, { shortcode }: Wanted): Promise<Item> {
  if (!content.includes(shortcode)) {
    return refused('turbo_dsh_not_on_page', 'The page has no such shortcode.');
  }
  const { html, problem } = await call.get(Shortcodes).expand(call, page, call, shortcode);
  if (problem) return refused(codes[problem.fault], problem.message);
  try {
    // What an author wrote between two tags runs in nobody's session.
    return { html: inertHtml(html), error: null };
  } catch (error) {
    if (error instanceof UnreasonableHtml) return refused('turbo_dsh_failed', error.message);
    throw error;
  }
}

const codes: Readonly<Record<NonNullable<Expansion['problem']>['fault'], string>> = {
  unknown: 'turbo_dsh_unknown',
  bad_attributes: 'turbo_dsh_bad_attributes',
  failed: 'turbo_dsh_failed',
};
