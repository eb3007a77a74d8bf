import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { stopTestPostgres } from '../kit/postgres.ts';
import { type Page, RetrievalHost, type Way } from './retrieval-host.ts';

/**
 * How well questions find the pages that answer them:
 * `node test/bench/retrieval.ts <folder>` with `course-<lang>.jsonl` in it, a page per line (`title`, `markdown`).
 * The question is a page's title and its first heading; `bare` pages have neither, so that only their text answers.
 */

interface CoursePage {
  readonly title: string;
  readonly markdown: string;
}

interface Asked {
  readonly question: string;
  readonly bare: string;
  readonly whole: string;
}

const withoutCode = (markdown: string): string =>
  markdown.replaceAll(/```[\s\S]*?```/g, ' ').replaceAll('`', '');

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function askedOf({ title, markdown }: CoursePage): Asked {
  const body = withoutCode(markdown);
  const [, heading = ''] = /^##\s+(.+)$/m.exec(body) ?? [];
  const unlinked = body.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const plain = unlinked
    .replaceAll(/^#+ .*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const blocks = unlinked.split(/\n\s*\n/).map((block) => {
    const [, level, text] = /^(#{1,6}) +(.+)$/.exec(block.trim()) ?? [];
    return level ? `<h${level.length}>${escaped(text ?? '')}</h${level.length}>` : `<p>${escaped(block)}</p>`;
  });
  return {
    question: `${title} ${heading}`,
    bare: `<p>${escaped(plain.slice(0, 1_200))}</p>`,
    whole: blocks.join('\n'),
  };
}

interface Measure {
  readonly mrr: number;
  readonly hit: number;
}

function measured(ranks: readonly number[]): Measure {
  const sum = ranks.reduce((total, rank) => total + (rank > 0 ? 1 / rank : 0), 0);
  return { mrr: sum / ranks.length, hit: ranks.filter((rank) => rank === 1).length / ranks.length };
}

async function measure(host: RetrievalHost, asked: readonly Asked[], pages: readonly Page[], lang: string) {
  const { site, ids } = await host.site(pages);
  const found: string[] = [];
  for (const way of ['words', 'vectors', 'fused'] as const satisfies readonly Way[]) {
    const ranks: number[] = [];
    for (const [at, { question }] of asked.entries()) {
      ranks.push((await host.find(site.blog_id, question, lang, way)).indexOf(ids[at] ?? 0) + 1);
    }
    const { mrr, hit } = measured(ranks);
    found.push(`${way} MRR ${mrr.toFixed(3)} hit@1 ${hit.toFixed(2)}`);
  }
  return `${found.join('  ')}  (${await host.chunks(site.blog_id)} chunks)`;
}

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = process.argv[2];
if (!folder) throw new Error('Name the folder with course-en.jsonl and course-ru.jsonl.');
const host = await RetrievalHost.start();
for (const lang of process.argv[3]?.split(',') ?? ['en', 'ru']) {
  const lines = (await readFile(path.join(folder, `course-${lang}.jsonl`), 'utf8')).trim().split('\n');
  const pages = lines.map((line) => JSON.parse(line) as CoursePage);
  const all = pages
    .map((page) => ({ page, asked: askedOf(page) }))
    .filter(({ asked }) => asked.bare.length > 307);
  const questions = all.map(({ asked }) => asked);
  const bare = all.map(({ asked }, at) => ({ title: `Page ${at}`, html: asked.bare, lang }));
  const whole = all.map(({ page, asked }) => ({ title: page.title, html: asked.whole, lang }));
  tell(`${lang} bare  ${await measure(host, questions, bare, lang)}`);
  tell(`${lang} whole ${await measure(host, questions, whole, lang)}`);
}
await host.lyceum.stop();
await stopTestPostgres();
process.exit(0);
