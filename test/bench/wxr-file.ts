import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

export interface WxrPlan {
  readonly posts: number;
  /** Characters of each post's content. */
  readonly contentLength: number;
  /** One text of this length is among them; 0 for none. */
  readonly longest: number;
}

const words = 'fire exits lead down the stairs and past the doors that open to the yard where all meet'.split(
  ' ',
);

function paragraphs(length: number, seed: number): string {
  const parts: string[] = [];
  let written = 0;
  for (let at = seed; written < length; at += 1) {
    const word = words[(at * 7 + (at % 13)) % words.length] ?? '';
    const text =
      at % 60 === 0 ? `</p>\n<p><a href="http://old.example/page-${at}/">${word}</a>` : ` ${word}${at % 5}`;
    parts.push(text);
    written += text.length;
  }
  return `<p>${parts.join('')}</p>`;
}

const item = (n: number, content: string): string => `
<item><title>Post ${n} about ${words[n % words.length]}</title><dc:creator>author${n % 20}</dc:creator>
<content:encoded><![CDATA[${content}]]></content:encoded><excerpt:encoded><![CDATA[]]></excerpt:encoded>
<wp:post_id>${n}</wp:post_id><wp:post_date>2020-01-02 03:04:05</wp:post_date>
<wp:post_date_gmt>2020-01-02 03:04:05</wp:post_date_gmt><wp:post_name>post-${n}</wp:post_name>
<wp:status>publish</wp:status><wp:post_parent>${n % 3 === 2 ? n - 1 : 0}</wp:post_parent><wp:menu_order>0</wp:menu_order>
<wp:post_type>${n % 3 === 0 ? 'post' : 'page'}</wp:post_type><wp:post_password></wp:post_password>
<category domain="category" nicename="category-${n % 40}"><![CDATA[Category ${n % 40}]]></category>
<category domain="post_tag" nicename="tag-${n % 500}"><![CDATA[Tag ${n % 500}]]></category>
<wp:postmeta><wp:meta_key>level</wp:meta_key><wp:meta_value><![CDATA[${n % 7}]]></wp:meta_value></wp:postmeta>
<wp:postmeta><wp:meta_key>layout</wp:meta_key>
<wp:meta_value><![CDATA[a:2:{s:4:"cols";i:${n % 9};s:4:"link";s:18:"http://old.example";}]]></wp:meta_value></wp:postmeta>
</item>`;

/** Writes an export of that many posts and pages with terms, meta, links and parents. */
export async function writeWxr(file: string, plan: WxrPlan): Promise<void> {
  const out = createWriteStream(file);
  const write = async (text: string): Promise<void> => {
    if (!out.write(text)) await once(out, 'drain');
  };
  await write(`<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>http://old.example</wp:base_blog_url>`);
  for (let n = 1; n <= plan.posts; n += 1) await write(item(n, paragraphs(plan.contentLength, n)));
  if (plan.longest > 0) await write(item(plan.posts + 1, paragraphs(plan.longest, 1)));
  await write('</channel></rss>');
  out.end();
  await once(out, 'close');
}
