import { fail } from '../../api/errors.ts';
import type { PageAnswer, SitePage } from '../../api/page.ts';
import { derived } from '../../registry/installed.ts';
import { type InstalledModules, type ModuleSpec, specs } from '../../registry/spec.ts';
import { readForm } from '../body.ts';
import { setCookies } from '../cookies.ts';
import type { Exchange } from '../exchange.ts';
import { isRead, isReadOfForm } from '../only-reads.ts';
import { isOwnOrigin } from '../own-origin.ts';
import type { SiteSurface } from '../server.ts';
import { type SiteCall, type SiteCallParts, siteCall } from './site-call.ts';

interface Served {
  readonly page: SitePage;
  readonly module: ModuleSpec;
}

/** The pages that modules declare, below each site where their module is on. */
export function modulePages(parts: SiteCallParts): SiteSurface {
  const pagesOf = derived(declaredPages);
  return {
    serve: async (exchange) => {
      const { rest, state } = exchange;
      const served = pagesOf(state.modules).get(rest.endsWith('/') ? rest.slice(0, -1) : rest);
      if (!served || !state.isOn(served.module.id)) return false;
      const { page, module } = served;
      const answer = await answerOf(page, siteCall(parts, { id: page.id, module }, exchange), exchange);
      if (answer) send(exchange, answer);
      return true;
    },
  };
}

const declaredPages = (modules: InstalledModules): ReadonlyMap<string, Served> =>
  new Map(
    [...specs(modules)].flatMap((module) =>
      module.pages.map((page) => [page.path, { page, module }] as const),
    ),
  );

async function answerOf(
  page: SitePage,
  { call, run }: SiteCall,
  { ctx }: Exchange,
): Promise<PageAnswer | null> {
  const { submit } = page;
  if (ctx.method === 'POST' && submit) {
    if (!isOwnOrigin(call)) fail('rest_forbidden');
    const form = await readForm(ctx);
    return run(() => submit(form, call));
  }
  const reads = submit ? isReadOfForm(ctx) : isRead(ctx);
  return reads ? run(() => page.show(call)) : null;
}

function send({ ctx, peer }: Exchange, { status, html, headers, cookies }: PageAnswer): void {
  ctx.status = status;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value);
  setCookies(ctx, cookies, peer.secure);
  if (html === null) return;
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.body = html.text;
}
