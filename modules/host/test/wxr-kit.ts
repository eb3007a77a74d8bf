import type { Client, TestHost } from '@lyceum/core/testing';

export const importRoute = 'svc/host/v1/import';

/** An item of an export, as much of it as a test cares for; the rest is what exports usually have. */
export interface TestItem {
  readonly id: number | string;
  readonly type?: string;
  readonly status?: string;
  readonly title?: string;
  readonly slug?: string;
  readonly content?: string;
  readonly creator?: string;
  readonly password?: string;
  readonly parent?: number;
  readonly date?: string;
  readonly dateGmt?: string;
  readonly attachmentUrl?: string;
  /** `domain/nicename/name` */
  readonly terms?: readonly string[];
  readonly meta?: readonly (readonly [string, string])[];
  readonly comments?: number;
}

export interface TestExport {
  readonly base?: string;
  readonly version?: string;
  /** Elements of the channel before the items. */
  readonly head?: string;
  readonly items?: readonly TestItem[];
}

const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

const termOf = (term: string): string => {
  const [domain = '', nicename = '', name = nicename] = term.split('/');
  return `<category domain="${domain}" nicename="${nicename}">${cdata(name)}</category>`;
};

const metaOf = ([key, value]: readonly [string, string]): string =>
  `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`;

const comment = `<wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content>${cdata('Nice')}</wp:comment_content>
<wp:commentmeta><wp:meta_key>rating</wp:meta_key><wp:meta_value>5</wp:meta_value></wp:commentmeta></wp:comment>`;

export const itemXml = (item: TestItem): string => `<item>
<title>${cdata(item.title ?? `Title ${item.id}`)}</title>
<dc:creator>${cdata(item.creator ?? 'admin')}</dc:creator>
<guid isPermaLink="false">http://old.example/?p=${item.id}</guid>
<content:encoded>${cdata(item.content ?? '')}</content:encoded>
<excerpt:encoded>${cdata('')}</excerpt:encoded>
<wp:post_id>${item.id}</wp:post_id>
<wp:post_date>${item.date ?? '2020-05-06 07:08:09'}</wp:post_date>
<wp:post_date_gmt>${item.dateGmt ?? '2020-05-06 07:08:09'}</wp:post_date_gmt>
<wp:post_name>${cdata(item.slug ?? '')}</wp:post_name>
<wp:status>${item.status ?? 'publish'}</wp:status>
<wp:post_parent>${item.parent ?? 0}</wp:post_parent>
<wp:menu_order>0</wp:menu_order>
<wp:post_type>${item.type ?? 'post'}</wp:post_type>
<wp:post_password>${cdata(item.password ?? '')}</wp:post_password>
${item.attachmentUrl === undefined ? '' : `<wp:attachment_url>${cdata(item.attachmentUrl)}</wp:attachment_url>`}
${(item.terms ?? []).map(termOf).join('\n')}
${(item.meta ?? []).map(metaOf).join('\n')}
${comment.repeat(item.comments ?? 0)}
</item>`;

export const wxrHead = `<?xml version="1.0" encoding="UTF-8" ?>
<!-- generator="WordPress/6.5" -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:wp="http://wordpress.org/export/1.2/">`;

/** The text of an export. */
export const wxr = ({
  base = 'http://old.example',
  version = '1.2',
  head = '',
  items = [],
}: TestExport): string =>
  `${wxrHead}
<channel><title>Old site</title><link>${base}</link>
<wp:wxr_version>${version}</wp:wxr_version>
<wp:base_site_url>${base}</wp:base_site_url><wp:base_blog_url>${base}</wp:base_blog_url>
${head}
${items.map(itemXml).join('\n')}
</channel></rss>
`;

export const categoryXml = (slug: string, name = slug, parent = ''): string =>
  `<wp:category><wp:category_nicename>${slug}</wp:category_nicename><wp:category_parent>${parent}</wp:category_parent>
<wp:cat_name>${cdata(name)}</wp:cat_name></wp:category>`;

export const tagXml = (slug: string, name = slug): string =>
  `<wp:tag><wp:tag_slug>${slug}</wp:tag_slug><wp:tag_name>${cdata(name)}</wp:tag_name></wp:tag>`;

export const authorXml = (login: string, email: string, name = login): string =>
  `<wp:author><wp:author_login>${cdata(login)}</wp:author_login><wp:author_email>${cdata(email)}</wp:author_email>
<wp:author_display_name>${cdata(name)}</wp:author_display_name></wp:author>`;

export interface EndedImport {
  readonly job_id: string;
  readonly status: string;
  readonly phase: string;
  readonly progress: { readonly percent: number; readonly current: number; readonly total: number };
  readonly result: {
    readonly created: Readonly<Record<string, number>>;
    readonly existing: Readonly<Record<string, number>>;
    readonly skipped: Readonly<Record<string, number>>;
    readonly comments: number;
    readonly warnings: readonly { readonly code: string; readonly message: string; readonly item: string }[];
    readonly dry_run: boolean;
  };
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Sends an export with these fields of the form. */
export function send(client: Client, file: string | Buffer, fields: Readonly<Record<string, string>> = {}) {
  const request = client.post(importRoute).attach('file', Buffer.from(file), 'export.xml');
  for (const [name, value] of Object.entries(fields)) request.field(name, value);
  return request;
}

/** The job as it is when it has ended. */
export async function ended(client: Client, jobId: string): Promise<EndedImport> {
  for (;;) {
    const { body } = await client.get(`svc/host/v1/jobs/${jobId}?wait=30`).expect(200);
    if (body.completed_at !== null) return body;
  }
}

/** Imports and waits for the end. */
export async function runImport(
  client: Client,
  file: string | Buffer,
  fields: Readonly<Record<string, string>> = {},
): Promise<EndedImport> {
  const { body } = await send(client, file, fields).expect(202);
  return ended(client, body.job_id);
}

/** Rows of all posts of a site, in the order in which they came. */
export const postsOf = (lyceum: TestHost, blogId: number): Promise<Record<string, unknown>[]> =>
  lyceum.host.db.knex('posts').where('blog_id', blogId).orderBy('id').select('*') as never;

/** The one post of a site with this slug. */
export async function postOf(
  lyceum: TestHost,
  blogId: number,
  slug: string,
  type = 'post',
): Promise<Record<string, unknown>> {
  const row = await lyceum.host.db.knex('posts').where({ blog_id: blogId, slug, type }).first('*');
  if (!row) throw new Error(`There is no ${type} ${slug}.`);
  return row as Record<string, unknown>;
}

/** Terms of a site's taxonomy with the slugs of their parents, in the order in which they came. */
export const termsOf = (
  lyceum: TestHost,
  blogId: number,
  taxonomy: string,
): Promise<Record<string, unknown>[]> =>
  lyceum.host.db
    .knex('terms as t')
    .leftJoin('terms as p', 'p.id', 't.parent')
    .where({ 't.blog_id': blogId, 't.taxonomy': taxonomy })
    .orderBy('t.id')
    .select('t.slug', 't.name', 'p.slug as parent', 't.meta') as never;
