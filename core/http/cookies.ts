import type { Context } from 'koa';
import type { AnswerCookie } from '../api/answers.ts';

/** Set by hand: Koa's own cookies refuse `Secure` behind a proxy that it does not know. */
export function setCookies(
  ctx: Context,
  cookies: readonly AnswerCookie[],
  path: string,
  secure: boolean,
): void {
  for (const { name, value, maxAge } of cookies) {
    const parts = [`${name}=${value}`, `Path=${path}`, `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Lax'];
    if (secure) parts.push('Secure');
    ctx.append('Set-Cookie', parts.join('; '));
  }
}
