import type { Context } from 'koa';
import type { AnswerCookie } from '../api/answers.ts';

/**
 * Set by hand: Koa's own cookies refuse `Secure` behind a proxy that it does not know. No `Domain`, so that no
 * other host gets them; the path is that of the whole host, because a session holds on each of its sites.
 */
export function setCookies(ctx: Context, cookies: readonly AnswerCookie[], secure: boolean): void {
  for (const { name, value, maxAge } of cookies) {
    const parts = [`${name}=${value}`, 'Path=/', `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Lax'];
    if (secure) parts.push('Secure');
    ctx.append('Set-Cookie', parts.join('; '));
  }
}
