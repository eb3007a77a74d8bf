import { yup } from '@lyceum/core';
import { UserRecord } from '../../user-record.ts';

/** Who is signed in. `nonce` is null when no cookie session names him. */
export const SessionRecord = yup.object({
  user: UserRecord.required(),
  nonce: yup.string().nullable().defined(),
});

/** Nobody between server and client may keep what names a person and signs his requests. */
export const unkept = { 'Cache-Control': 'no-store' };
