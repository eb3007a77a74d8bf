import type { Editor } from '../document.ts';
import { htmlTokens } from '../html-tokens.ts';
import { projectTurbo } from '../project-turbo.ts';
import { checkBlocks } from './check-blocks.ts';
import { checkPagebuilder } from './check-pagebuilder.ts';
import { resolveLocal } from './local-references.ts';
import { mostPageBytes, mostProblems, type PageReport, type PageStats, type Problem } from './problem.ts';
import type { PageRules } from './widget-words.ts';

/** Checks a document by every rule of its editor at once. Linear in its text; walks without recursion. */
export function checkPage(editor: Editor, content: string, rules: PageRules): PageReport {
  if (editor === 'pagebuilder') return checkPagebuilder(content, rules);
  const bytes = Buffer.byteLength(content);
  const { problems, stats } = editor === 'block' ? blockPage(content) : turboPage(content);
  const all = [...tooLarge(bytes), ...problems, ...strangeFiles(content, rules)];
  return {
    valid: all.every(({ severity }) => severity !== 'error'),
    problems: all.slice(0, mostProblems),
    stats: { bytes, widgets: 0, widget_types: {}, ...stats },
  };
}

interface Found {
  readonly problems: readonly Problem[];
  readonly stats: Pick<PageStats, 'elements' | 'depth'>;
}

const whole = (code: string, severity: Problem['severity'], message: string): Problem => ({
  code,
  severity,
  pointer: '',
  message,
});

function blockPage(html: string): Found {
  const { faults, blocks, depth } = checkBlocks(html);
  const problems = faults.map(({ code, message }) => whole(code, 'error', message));
  return { problems, stats: { elements: blocks, depth } };
}

function turboPage(html: string): Found {
  let elements = 0;
  for (const { kind } of htmlTokens(html)) if (kind === 'start') elements += 1;
  const problems = hasText(projectTurbo(html))
    ? []
    : [whole('turbo_empty', 'warning', 'The body has no text.')];
  return { problems, stats: { elements, depth: 0 } };
}

function hasText(html: string): boolean {
  for (const { kind, from, to } of htmlTokens(html)) {
    if (kind === 'text' && /\S/.test(html.slice(from, to).replaceAll('&nbsp;', ' '))) return true;
  }
  return false;
}

function tooLarge(bytes: number): Problem[] {
  return bytes > mostPageBytes ? [whole('pb_size', 'error', 'The document has more than 5 MiB.')] : [];
}

function strangeFiles(content: string, { isFile }: PageRules): Problem[] {
  if (!isFile || !content.includes('local://')) return [];
  const { unknown } = resolveLocal(content, 'plain', (path) => (isFile(path) ? '' : null));
  const paths = [...new Set(unknown)];
  return paths.map((path) => whole('pb_local_ref', 'error', `The project has no file "${path}".`));
}
