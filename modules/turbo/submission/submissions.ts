import {
  type Call,
  type Clock,
  callerOf,
  type Database,
  editPost,
  fail,
  type Post,
  type Posts,
  type PostTypes,
} from '@lyceum/core';
import { type FormEntries, formType, type Submission } from '@lyceum/module/svctutor_form';
import type { Knex } from 'knex';
import type { SubmissionAnswer, SubmissionKey, SubmissionStore } from './submission-store.ts';

export interface SubmissionsParts {
  readonly db: Database;
  readonly posts: Posts;
  readonly types: PostTypes;
  readonly store: SubmissionStore;
  readonly clock: Clock;
}

/** What is handed in, and whether it was before. */
export interface HandedIn {
  readonly answer: SubmissionAnswer;
  readonly isRepeat: boolean;
}

/** Takes what people hand in: once for each id that their client made up. */
export class Submissions {
  readonly #parts: SubmissionsParts;

  constructor(parts: SubmissionsParts) {
    this.#parts = parts;
  }

  /**
   * @param submissionId null: each is a new one
   * @throws `turbo_form_not_found`, `turbo_page_not_found`, `turbo_submission_conflict`, and what `FormEntries.add` throws
   */
  async handIn(
    call: Call,
    entries: FormEntries,
    formId: number,
    submission: Submission,
    submissionId: string | null,
  ): Promise<HandedIn> {
    const key = submissionId === null ? null : { blog_id: call.site.blog_id, submission_id: submissionId };
    return this.#parts.db.transaction(async (trx) => {
      const before = key && (await this.#before(trx, call, key, formId));
      if (before) return { answer: before, isRepeat: true };
      // Entries are numbered one after the other: whoever comes second waits here.
      const form = this.#usable(call, await this.#parts.posts.lock(trx, call.site.blog_id, formId));
      await this.#checkPage(trx, call, submission.page_id);
      const { id, entry_id, index, created_at } = await entries.add(trx, call, form, submission);
      const answer = { id, entry_id, index, form_id: form.id, created_at };
      if (key) await this.#parts.store.answered(trx, key, answer);
      return { answer, isRepeat: false };
    });
  }

  /** What the same submission was answered with; null for a new one, whose id is taken from now on. */
  async #before(
    trx: Knex.Transaction,
    call: Call,
    key: SubmissionKey,
    formId: number,
  ): Promise<SubmissionAnswer | null> {
    const { store, clock } = this.#parts;
    const user_id = callerOf(call).id;
    if (await store.take(trx, key, { form_id: formId, user_id, created_at: clock.now() })) return null;
    const kept = await store.find(trx, key);
    // Ids are made up by clients: whoever guesses one learns nothing of the entry behind it.
    if (kept?.form_id !== formId || kept.user_id !== user_id) fail('turbo_submission_conflict');
    return kept.answer;
  }

  /** Wherever on the site the form stood, in the trash by now perhaps: what was answered counts all the same. */
  async #checkPage(trx: Knex.Transaction, call: Call, pageId: number | null): Promise<void> {
    if (pageId === null) return;
    if (!(await this.#parts.posts.find(call.site.blog_id, pageId, trx))) fail('turbo_page_not_found');
  }

  #usable(call: Call, form: Post | null): Post {
    const type = this.#parts.types.get(formType);
    if (!type || form?.type !== formType || form.status === 'trash') fail('turbo_form_not_found');
    return form.status === 'publish' || editPost(call, form, type) ? form : fail('turbo_form_not_found');
  }
}
