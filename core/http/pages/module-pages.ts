import { fail } from '../../api/errors.ts';
import type { PageAnswer, SitePage } from '../../api/page.ts';
import type { Nonces } from '../../auth/nonces.ts';
import type { Crashes } from '../../isolation/crashes.ts';
import { derived } from '../../registry/installed.ts';
import { type InstalledModules, type ModuleSpec, specs } from '../../registry/spec.ts';
import type { Uses } from '../../registry/uses.ts';
import { standingOf } from '../access.ts';
import { readForm } from '../body.ts';
import { setCookies } from '../cookies.ts';
import type { ErrorMapper } from '../error-mapper.ts';
import type { Exchange } from '../exchange.ts';
import { type CallParts, HostCall } from '../host-call.ts';
import { isRead, isReadOfForm } from '../only-reads.ts';
import { isOwnOrigin } from '../own-origin.ts';
import { HandlerGuard, withinTime } from '../run-handler.ts';
import type { SiteSurface } from '../server.ts';

export interface ModulePagesParts
  extends Pick<CallParts, 'capabilities' | 'settings' | 'addresses' | 'now' | 'log'> {
  readonly uses: Uses;
  readonly nonces: Nonces;
  readonly errors: ErrorMapper;
  readonly crashes: Crashes;
  readonly resolve: (module: ModuleSpec) => CallParts['resolve'];
}

/** Milliseconds that a page may take, as an operation that says nothing. */
const timeoutMs = 30_000;

interface Served {
  readonly page: SitePage;
  readonly module: ModuleSpec;
}

/** The pages that modules declare, below each site where their module is on. */
export function modulePages(parts: ModulePagesParts): SiteSurface {
  const pagesOf = derived(declaredPages);
  return {
    serve: async (exchange) => {
      const { rest, state } = exchange;
      const served = pagesOf(state.modules).get(rest.endsWith('/') ? rest.slice(0, -1) : rest);
      if (!served || !state.isOn(served.module.id)) return false;
      exchange.ctx.state.operation = served.page.id;
      exchange.ctx.state.spec = served.module;
      exchange.ctx.res.once('close', parts.uses.enter(served.module));
      const answer = await answerOf(parts, served, exchange);
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
  parts: ModulePagesParts,
  { page, module }: Served,
  exchange: Exchange,
): Promise<PageAnswer | null> {
  const { ctx } = exchange;
  const call = new HostCall({
    ...parts,
    exchange,
    module,
    standing: standingOf(exchange, parts.nonces),
    chosen: null,
    resolve: parts.resolve(module),
    cookieAlone: false,
  });
  const run = (act: () => PageAnswer | Promise<PageAnswer>): Promise<PageAnswer> =>
    new HandlerGuard(parts.errors, parts.crashes).run(
      page.id,
      module,
      call,
      async () => (await withinTime({ module, timeoutMs }, call, act)) as PageAnswer,
    );
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
