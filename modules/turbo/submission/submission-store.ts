import type { Knex } from 'knex';

/** What a submission was answered with. */
export interface SubmissionAnswer {
  readonly id: string;
  readonly entry_id: number;
  readonly index: number;
  readonly form_id: number;
  readonly created_at: string;
}

/** A submission by the id that its client made up. */
export interface SubmissionKey {
  readonly blog_id: number;
  readonly submission_id: string;
}

export interface KeptSubmission {
  readonly form_id: number;
  readonly user_id: number;
  readonly answer: SubmissionAnswer;
}

/** Submissions that clients may send again. */
export class SubmissionStore {
  /** Takes the id for this transaction; waits for another one that just takes it. False when it is taken. */
  async take(
    trx: Knex.Transaction,
    key: SubmissionKey,
    by: { readonly form_id: number; readonly user_id: number; readonly created_at: Date },
  ): Promise<boolean> {
    const taken = await trx('turbo_submissions')
      .insert({ ...key, ...by })
      .onConflict(['blog_id', 'submission_id'])
      .ignore()
      .returning('form_id');
    return taken.length > 0;
  }

  async answered(trx: Knex.Transaction, key: SubmissionKey, answer: SubmissionAnswer): Promise<void> {
    await trx('turbo_submissions')
      .where(key)
      .update({ answer: JSON.stringify(answer) });
  }

  async find(sql: Knex, key: SubmissionKey): Promise<KeptSubmission | null> {
    const row = await sql('turbo_submissions').where(key).first('form_id', 'user_id', 'answer');
    return (row as KeptSubmission | undefined) ?? null;
  }

  /** Deletes at most so many from before then; how many. */
  async forget(sql: Knex, before: Date, most: number): Promise<number> {
    const old = sql('turbo_submissions').where('created_at', '<', before).limit(most);
    return sql('turbo_submissions')
      .whereIn(['blog_id', 'submission_id'], old.select('blog_id', 'submission_id'))
      .delete();
  }
}
