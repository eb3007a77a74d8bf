import { createHash, randomBytes } from 'node:crypto';

/** What a token opens: `connect` makes a connection, once; `access` is one. */
export type TokenKind = 'connect' | 'access';

const prefixes = { connect: 'sct_', access: 'sst_' } as const;
const form = /^(sct|sst)_[A-Za-z0-9_-]{43}$/;

/** 32 random bytes under the prefix of their kind. */
export const drawToken = (kind: TokenKind): string =>
  `${prefixes[kind]}${randomBytes(32).toString('base64url')}`;

/** SHA-256 of a token; of anything else the hash of nothing that was ever drawn. */
export function hashToken(kind: TokenKind, text: string): Buffer {
  const fits = form.test(text) && text.startsWith(prefixes[kind]);
  return fits ? createHash('sha256').update(text).digest() : Buffer.alloc(32);
}
