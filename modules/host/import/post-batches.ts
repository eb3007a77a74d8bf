import type { Authors } from './authors.ts';
import type { ImportContext } from './import-context.ts';
import { BrokenXml } from './import-problem.ts';
import { LocalTime } from './local-time.ts';
import { type ItemParts, importItems } from './posts.ts';
import type { WxrItem } from './wxr-record.ts';

/** Items of one transaction: so many, or so many characters. Larger ones are no faster and leave more to collect. */
const mostItems = 200;
const mostCharacters = 1024 * 1024;

const lengthOf = ({ content, excerpt, meta }: WxrItem): number =>
  meta.reduce((length, { value }) => length + value.length, content.length + excerpt.length);

/** Writes the items of the file as they come, behind those that earlier runs wrote. */
export async function importPosts(context: ImportContext, authors: Authors): Promise<void> {
  const { progress, survey, job } = context;
  const done = progress.doneIn('posts');
  if (done === Number.POSITIVE_INFINITY) return;
  const parts = await partsOf(context, authors);
  let at = 0;
  let batch: WxrItem[] = [];
  let length = 0;
  const write = async (): Promise<void> => {
    const items = batch;
    batch = [];
    length = 0;
    const message = `Read ${at} of ${survey.items} items.`;
    const step = { phase: 'posts', at, message, current: at, total: survey.items } as const;
    await progress.step(step, (trx) => importItems(parts, trx, items));
  };
  for await (const item of itemsOf(context)) {
    at += 1;
    if (at <= done) continue;
    job.signal.throwIfAborted();
    batch.push(item);
    length += lengthOf(item);
    if (batch.length >= mostItems || length >= mostCharacters) await write();
  }
  await write();
}

async function partsOf(context: ImportContext, authors: Authors): Promise<ItemParts> {
  const { job, tally } = context;
  const rules = {
    time: new LocalTime(await job.setting<string>('timezone')),
    now: new Date(),
    lang: await job.setting<string>('default_lang'),
    warnings: tally.warnings,
  };
  return { context, authors, rules };
}

/** Items up to the end of the file, or to where it is broken. */
async function* itemsOf({ records }: ImportContext): AsyncGenerator<WxrItem> {
  try {
    for await (const record of records()) if (record.kind === 'item') yield record;
  } catch (error) {
    if (!(error instanceof BrokenXml)) throw error;
  }
}
