import {
  type Call,
  Database,
  defineOperation,
  fail,
  json,
  type Post,
  record,
  time,
  word,
  yup,
} from '@lyceum/core';
import { countEntries } from '../../entries/entry-count-store.ts';
import { findErrors, findForm, mayEdit } from '../../form/find-form.ts';
import { type FormTexts, hashOf, runners, textsOf, tokenOf } from '../../form/form.ts';
import { type JsonObject, readObject } from '../../form/form-json.ts';
import { siteLanguage } from '../../locale/language-tag.ts';
import { formQuery } from '../forms/fields.ts';

const text = () => yup.string().defined();

const RunnerData = yup.object({
  id: yup.number().integer().required(),
  name: text(),
  status: word('publish', 'draft', 'private', 'pending', 'future').required(),
  runner: word(...runners).required(),
  definition: json().defined(),
  styles: record().required(),
  l10n: record().required(),
  shortcode: record().required(),
  fingerprint: text(),
  stencil: text(),
  actionables: text(),
  language: text(),
  modified_at: time().required(),
  token: yup.string(),
  hooks: record(),
  trackers: record(),
  entries: yup.number().integer(),
  texts: yup
    .object({
      definition: text(),
      runner: text(),
      styles: text(),
      l10n: text(),
      hooks: text(),
      trackers: text(),
      shortcode: text(),
    })
    .optional(),
});

export const getRunnerData = defineOperation({
  id: 'svctutor_form.get-runner-data',
  method: 'GET',
  path: 'svctutor-forms/form/v1/getRunnerData',
  summary: 'What a runner needs to show a form; who may edit it also gets its token and its stored texts',
  access: { signedIn: true },
  contract: true,
  input: { query: yup.object(formQuery) },
  output: RunnerData,
  errors: [...findErrors, 'invalid_permissions'],
  handle: async ({ query }, call) => {
    const form = await findForm(call, query.id);
    const editor = mayEdit(call, form);
    if (form.status !== 'publish' && !editor) fail('invalid_permissions');
    const texts = textsOf(form);
    const shown = shownToAll(call, form, texts);
    return editor ? { ...shown, ...(await shownToEditors(call, form, texts)) } : shown;
  },
});

const objectOf = (part: string): JsonObject => readObject(part) ?? {};

function shownToAll(call: Call, form: Post, texts: FormTexts) {
  const definition = readObject(texts.definition);
  return {
    id: form.id,
    name: form.title,
    status: form.status,
    runner: texts.runner,
    definition,
    styles: objectOf(texts.styles),
    l10n: objectOf(texts.l10n),
    shortcode: objectOf(texts.shortcode),
    fingerprint: hashOf(form, 'fingerprint'),
    stencil: hashOf(form, 'stencil'),
    actionables: hashOf(form, 'actionables'),
    language: languageOf(definition) ?? siteLanguage(call.state),
    modified_at: form.modified_at,
  };
}

async function shownToEditors(call: Call, form: Post, texts: FormTexts) {
  return {
    token: tokenOf(form),
    hooks: objectOf(texts.hooks),
    trackers: objectOf(texts.trackers),
    entries: await countEntries(call.get(Database).knex, form.id),
    texts,
  };
}

function languageOf(definition: JsonObject | null): string | null {
  const language = definition?.language;
  return typeof language === 'string' && language !== '' ? language : null;
}
