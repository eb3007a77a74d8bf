import { time, word, yup } from '@lyceum/core';

/** Types whose documents a studio edits. */
export const documentTypes = ['page', 'modal', 'post', 'course'] as const;

export const hashField = () =>
  yup
    .string()
    .matches(/^[0-9a-f]{64}$/)
    .required();

export const editorField = () => word('block', 'pagebuilder', 'turbo');

const status = () => word('publish', 'draft', 'private', 'pending', 'future');

const listed = {
  post_id: yup.number().integer().required(),
  post_type: word(...documentTypes).required(),
  slug: yup.string().required(),
  editor: editorField().required(),
  hash: hashField(),
  title: yup.string().defined(),
  status: status().required(),
};

/** A document in the list: everything but itself. */
export const ListedItem = yup.object(listed);

const facts = {
  modified_at: time().required(),
  permalink: yup.string().required(),
  parent_id: yup.number().integer().required(),
  menu_order: yup.number().integer().required(),
  lang: yup.string().required(),
  /** null where no revision holds this state: it was written by another way. */
  revision_id: yup.number().integer().nullable().defined(),
};

/** What a write answers: all but the text, which the client has. */
export const WrittenItem = yup.object({ ...listed, ...facts });

export const WholeItem = yup.object({ ...listed, content: yup.string().defined(), ...facts });

export const listedExample = {
  post_id: 12,
  post_type: 'page',
  slug: 'welcome',
  editor: 'block',
  hash: 'd0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900',
  title: 'Welcome',
  status: 'publish',
} as const;

export const writtenExample = {
  ...listedExample,
  modified_at: '2026-05-04T09:30:00.000Z',
  permalink: 'https://lyceum.example/welcome/',
  parent_id: 0,
  menu_order: 0,
  lang: 'en',
  revision_id: 31,
} as const;
