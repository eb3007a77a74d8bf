import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkPage, defineOperation, documentHash, type Problem, rawText, record, yup } from '@lyceum/core';
import { access, blogCodes, namespace } from '../access.ts';
import { editor, longestToldPath } from '../manifest/entries.ts';
import { ProblemRecord } from '../plan/page-result.ts';

const mostPages = 100;
const mostFiles = 10_000;
const mostBodyBytes = 64 * 1024 * 1024;

const Checked = yup.object({
  key: yup.string().defined(),
  editor: editor().required(),
  valid: yup.boolean().required(),
  hash: yup.string().required(),
  problems: yup.array().of(ProblemRecord.required()).required(),
  stats: yup
    .object({
      bytes: yup.number().integer().required(),
      elements: yup.number().integer().required(),
      widgets: yup.number().integer().required(),
      depth: yup.number().integer().required(),
      widget_types: record({ type: 'integer' }).required(),
    })
    .required(),
});

const Page = yup.object({
  key: yup.string().min(1).max(200).required(),
  editor: editor(),
  content: rawText(mostBodyBytes).defined(),
});

/** Texts that no site could store. JSON of the page builder is none with such a character in it. */
function unstorable(content: string): Problem[] {
  if (!content.includes('\0') && content.isWellFormed()) return [];
  const message = 'The text has the character U+0000 or an unpaired surrogate.';
  return [{ code: 'text_unstorable', severity: 'error', pointer: '', message }];
}

export const validatePages = defineOperation({
  id: 'local_sync.validate-pages',
  method: 'POST',
  path: `${namespace}/validate`,
  summary: 'Check documents by the rules of their editors',
  description:
    'Reads and writes nothing of the site but its settings. Where `files` is given, every `local://` path must be among them.',
  access,
  contract: true,
  site: 'selectable',
  blogCodes,
  input: {
    body: yup.object({
      pages: yup.array().of(Page.required()).min(1).max(mostPages).required(),
      files: yup.array().of(rawText(longestToldPath).defined()).max(mostFiles),
    }),
  },
  maxBodyBytes: mostBodyBytes,
  timeoutMs: 120_000,
  output: yup.object({
    valid: yup.boolean().required(),
    pages: yup.array().of(Checked.required()).required(),
  }),
  example: {
    body: { pages: [{ key: 'index', content: '[]' }] },
    answer: {
      valid: true,
      pages: [
        {
          key: 'index',
          editor: 'pagebuilder',
          valid: true,
          hash: '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945',
          problems: [{ code: 'pb_empty', severity: 'warning', pointer: '', message: 'The page is empty.' }],
          stats: { bytes: 2, elements: 0, widgets: 0, depth: 0, widget_types: {} },
        },
      ],
    },
  },
  handle: async ({ body }, call) => {
    const files = body.files && new Set<string>(body.files);
    const rules = {
      known: call.setting<readonly string[]>('known_widgets'),
      nested: call.setting<readonly string[]>('nested_widgets'),
      isFile: files ? (path: string) => files.has(path) : null,
    };
    const pages = [];
    for (const { key, editor, content } of body.pages) {
      const strange = unstorable(content);
      const report = checkPage(editor, content, rules);
      const valid = report.valid && strange.length === 0;
      const problems = [...strange, ...report.problems].slice(0, 100);
      pages.push({ key, editor, valid, hash: documentHash(content), problems, stats: report.stats });
      await nextTurn();
      call.signal.throwIfAborted();
    }
    return { valid: pages.every((page) => page.valid), pages };
  },
});
