import { time, word, yup } from '@lyceum/core';
import { editorField, hashField } from './document-item.ts';

export const revisionFields = {
  revision_id: yup.number().integer().required(),
  hash: hashField(),
  title: yup.string().defined(),
  editor: editorField().required(),
  source: word('host', 'studio', 'local').required(),
  user_id: yup.number().integer().nullable().defined(),
  connection_id: yup.string().nullable().defined(),
  created_at: time().required(),
  bytes: yup.number().integer().required(),
};

export const revisionExample = {
  revision_id: 31,
  hash: 'd0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900',
  title: 'Welcome',
  editor: 'block',
  source: 'studio',
  user_id: 5,
  connection_id: '6f1f7a52-4f0e-4a6a-9d57-0d4c9d5b2a10',
  created_at: '2026-05-04T09:30:00.000Z',
  bytes: 12,
} as const;
