import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export const sessionCookie = 'svc_session';

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** What a request presents, before anybody looks whether it is right. */
export interface Presented {
  readonly session: Buffer | null;
  /** Present for `Authorization: Basic` only; spaces in the password do not count. */
  readonly basic: { readonly login: string; readonly hash: Buffer } | null;
  readonly nonce: string | null;
}

const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** The value of a cookie; the first of that name, as browsers send the most specific one first. */
export function cookieOf(header: string | undefined, name: string): string | null {
  if (!header) return null;
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

/** A session token is 43 base64url characters; anything else matches no row. */
function sessionIn(header: string | undefined): Buffer | null {
  const token = cookieOf(header, sessionCookie);
  if (token === null || token === '') return null;
  return tokenForm.test(token) ? sha256(token) : Buffer.alloc(32);
}

/** Far more than login and password need; a longer one is wrong like any other. */
const maxBasic = 2_000;

function basicIn(header: string | undefined): Presented['basic'] {
  if (!header || !/^basic(?: |$)/i.test(header)) return null;
  const text = header.length > maxBasic ? '' : Buffer.from(header.slice(6).trim(), 'base64').toString('utf8');
  const at = text.indexOf(':');
  const login = at < 0 ? '' : text.slice(0, at).replaceAll('\0', '');
  return { login: login.toLowerCase(), hash: sha256(at < 0 ? '' : text.slice(at + 1).replaceAll(' ', '')) };
}

const one = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value[0] : value) ?? null;

/** Reads cookie, Basic credentials and nonce; `X-WP-Nonce` stands in for `X-Svc-Nonce`. */
export function presentedBy(headers: IncomingHttpHeaders, queryNonce: string | null): Presented {
  return {
    session: sessionIn(headers.cookie),
    basic: basicIn(headers.authorization),
    nonce: one(headers['x-svc-nonce']) ?? one(headers['x-wp-nonce']) ?? queryNonce,
  };
}
