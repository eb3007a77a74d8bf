import { defineJob } from '@lyceum/core';
import { NoteStore } from '../note-store.ts';

interface Payload {
  readonly note_id: number;
}

/** Runs at least once, and may begin again: its effect is the same however often it happens. */
export const countWords = defineJob<Payload>({
  id: 'my_module.count-words',
  title: 'Counts the words of a note',
  lane: 'quick',
  run: (job) =>
    job.finish(async (trx) => ({
      words: await job.get(NoteStore).countWords(trx, job.site.blog_id, job.payload.note_id),
    })),
});
