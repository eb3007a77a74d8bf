import {
  composeMail,
  Database,
  type JobRun,
  Letterheads,
  languageFor,
  type MailMessage,
  Posts,
  State,
} from '@lyceum/core';
import type { Entry, EntryField } from '../entries/entry.ts';
import { findEntry } from '../entries/entry-store.ts';
import { textsOf } from '../form/form.ts';
import { Catalogues } from '../locale/catalogues.ts';
import { type EmailHook, emailHookOf } from './email-hook.ts';

/** UTF-16 units of one answer and of all of them that a mail shows: it is a notice, the form has the whole. */
const longestAnswer = 2_000;
const longestAnswers = 100_000;

const context = 'svctutor-form';

/** The mail about an entry; null when entry, form or hook are gone meanwhile. */
export async function entryLetter(job: JobRun<{ readonly entry_id: number }>): Promise<MailMessage | null> {
  const { blog_id } = job.site;
  const entry = await findEntry(job.get(Database).knex, blog_id, job.payload.entry_id);
  const form = entry && (await job.get(Posts).find(blog_id, entry.form_id));
  const hook = form && emailHookOf(textsOf(form).hooks);
  const head = hook && (await job.get(Letterheads).of(blog_id));
  const state = head && (await job.get(State).read(blog_id));
  if (!state) return null;
  const say = await job.get(Catalogues).speaker(state, context, head.language);
  const zone = String(state.siteOptions.get('timezone') ?? 'UTC');
  const parts = [
    say('The form “{form}” has a new entry: number {index}, of {time}.'),
    ...(hook.includeFields ? ['{answers}'] : [say('Open the form to read it.')]),
  ];
  const name = await job.setting<string>('notify_from_name');
  const { to, from, subject, text } = composeMail(head, {
    to: hook.recipient,
    language: languageFor('en', head.language),
    subject: say('New entry {index}: {form}'),
    text: parts.join('\n\n'),
    values: {
      form: form.title,
      index: String(entry.index),
      time: timeIn(head.language, zone, entry.created_at),
      answers: answersOf(entry, hook),
    },
  });
  return { from: { ...from, name: name || head.title }, to, subject, text };
}

function timeIn(language: string, timeZone: string, at: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone });
  return format.format(new Date(at));
}

function answersOf({ fields }: Entry, { includeFields }: EmailHook): string {
  if (!includeFields) return '';
  let left = longestAnswers;
  const lines: string[] = [];
  for (const field of fields) {
    const line = lineOf(field);
    left -= line.length;
    if (left < 0) return [...lines, '…'].join('\n');
    lines.push(line);
  }
  return lines.join('\n');
}

const lineOf = ({ name, string }: EntryField): string => `${shortened(name)}: ${shortened(string)}`;

const shortened = (text: string): string =>
  text.length > longestAnswer ? `${text.slice(0, longestAnswer).toWellFormed()}…` : text;
