import { randomUUID } from 'node:crypto';
import { type Actor, type Clock, fail, type Jobs, type Post } from '@lyceum/core';
import type { Knex } from 'knex';
import { textsOf } from '../form/form.ts';
import { readObject } from '../form/form-json.ts';
import { slotsOf } from '../form/form-slots.ts';
import { emailHookOf } from '../mail/email-hook.ts';
import { notifyType } from '../mail/notify-type.ts';
import { isOutdated, problemsOf } from './check-entry.ts';
import type { Entry, Submission } from './entry.ts';
import { addToCount } from './entry-count-store.ts';
import { insertEntry } from './entry-store.ts';

/** Entries of forms, for modules that take them from people. Whether somebody may hand in is for them to ask. */
export class FormEntries {
  readonly #jobs: Jobs;
  readonly #clock: Clock;

  constructor(jobs: Jobs, clock: Clock) {
    this.#jobs = jobs;
    this.#clock = clock;
  }

  /**
   * Stores an entry, in the actor's name and on his site, and with it the job that mails of it where the form has one.
   * @param form a form of the actor's site, locked by this transaction: entries are numbered one after the other
   * @throws `svctutor_form_outdated`; `svctutor_form_invalid_entry` with `data.problems`
   */
  async add(trx: Knex.Transaction, actor: Actor, form: Post, submission: Submission): Promise<Entry> {
    if (isOutdated(form, submission)) fail('svctutor_form_outdated');
    const { exportables, page_id, language, locale } = submission;
    const texts = textsOf(form);
    const problems = problemsOf(exportables.fields, slotsOf(readObject(texts.definition)));
    if (problems.length > 0) fail('svctutor_form_invalid_entry', { data: { problems } });
    const entry = await insertEntry(trx, {
      id: randomUUID(),
      blog_id: form.blog_id,
      form_id: form.id,
      user_id: actor.user?.id ?? null,
      page_id,
      fingerprint: exportables.fingerprint.toLowerCase(),
      stencil: exportables.stencil.toLowerCase(),
      fields: exportables.fields,
      language,
      locale,
      created_at: this.#clock.now().toISOString(),
    });
    await addToCount(trx, form, 1);
    if (emailHookOf(texts.hooks)) await this.#notify(trx, actor, entry.entry_id);
    return entry;
  }

  async #notify(trx: Knex.Transaction, { site }: Actor, entryId: number): Promise<void> {
    await this.#jobs.enqueue(trx, {
      type: notifyType,
      payload: { entry_id: entryId },
      site: { blog_id: site.blog_id, network_id: site.network_id },
      userId: null,
      startAfterSeconds: 0,
    });
  }
}
