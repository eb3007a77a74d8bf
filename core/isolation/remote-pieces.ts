import type { PageAddition, PageCall, Shortcode, ShortcodeUse } from '../api/shortcode.ts';
import { Html } from '../http/pages/html.ts';
import { ReaderCall } from '../shortcodes/reader-call.ts';
import type { IsolatedModule } from './isolated-module.ts';
import type { ModuleWords } from './module-words.ts';
import { readShape } from './schema-words.ts';

function wordsOf(call: PageCall, settings: readonly string[]): unknown {
  if (call instanceof ReaderCall) return call.words(settings);
  throw new Error('Only the host has pages rendered.');
}

/** A shortcode whose code is in a worker. */
export function remoteShortcode(
  { attributes, ...shortcode }: ModuleWords['shortcodes'][number],
  settings: readonly string[],
  module: IsolatedModule,
): Shortcode {
  return {
    ...shortcode,
    ...(attributes ? { attributes: readShape(attributes) } : {}),
    render: async ({ attributes: given, content, inner }: ShortcodeUse<never>, call) => {
      const use = { attributes: given, content, inner: async () => (await inner()).text };
      const args = [shortcode.tag, use, wordsOf(call, settings)];
      return new Html((await module.ask('shortcode', args, call.signal)) as string);
    },
  };
}

/** An addition to pages whose code is in a worker. */
export function remoteAddition(
  addition: ModuleWords['pageAdditions'][number],
  settings: readonly string[],
  module: IsolatedModule,
): PageAddition {
  return {
    ...addition,
    after: async (post, call) => {
      const args = [addition.id, post, wordsOf(call, settings)];
      const html = (await module.ask('addition', args, call.signal)) as string | null;
      return html === null ? null : new Html(html);
    },
  };
}
