import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Addresses } from '../addresses.ts';
import { describedSite } from '../documents/described-site.ts';
import { etagOf, matchesEtag } from '../etag.ts';
import type { Exchange } from '../exchange.ts';
import { isRead } from '../only-reads.ts';
import type { SiteSurface } from '../server.ts';
import { DocsAssets } from './docs-assets.ts';
import { docsPage, docsPagePolicy } from './docs-page.ts';
import { rootPage, rootPagePolicy } from './root-page.ts';

const assetPrefix = 'docs/assets/';

/** The site's root page, the API page at `docs`, and the files of the latter. */
export function sitePages(addresses: Addresses): SiteSurface {
  const assets = new DocsAssets();
  return {
    serve: async (exchange) => {
      const { ctx, rest } = exchange;
      if (rest === '') return !isRead(ctx) || sendRootPage(exchange, addresses);
      if (rest === 'docs' || rest === 'docs/')
        return !isRead(ctx) || sendDocsPage(exchange, addresses, assets);
      if (!rest.startsWith(assetPrefix)) return false;
      if (rest.slice(assetPrefix.length) !== (await assets.scriptName())) return false;
      return !isRead(ctx) || assets.sendScript(ctx);
    },
  };
}

function sendHtml(ctx: Context, policy: string, page: string): void {
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.set('Content-Security-Policy', policy);
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.body = page;
}

function sendRootPage(exchange: Exchange, addresses: Addresses): true {
  const { ctx, identity } = exchange;
  ctx.state.operation = 'host.root-page';
  // Clients of WordPress hosts look for the API here.
  ctx.set('Link', `<${addresses.route(identity, '')}>; rel="https://api.w.org/"`);
  const { title, description } = describedSite(exchange, addresses);
  const page = rootPage({ title, description, path: identity.path, apiRoot: addresses.apiRoot });
  const etag = etagOf(page);
  ctx.set('ETag', etag);
  ctx.set('Cache-Control', 'private, no-cache');
  if (matchesEtag(ctx.get('If-None-Match'), etag)) ctx.status = 304;
  else sendHtml(ctx, rootPagePolicy, page);
  return true;
}

async function sendDocsPage(exchange: Exchange, addresses: Addresses, assets: DocsAssets): Promise<true> {
  const { ctx, identity } = exchange;
  ctx.state.operation = 'host.docs-page';
  const nonce = randomBytes(16).toString('base64');
  const { title, apiPath } = describedSite(exchange, addresses);
  const scriptPath = `${identity.path}${assetPrefix}${await assets.scriptName()}`;
  ctx.set('Cache-Control', 'no-store');
  sendHtml(
    ctx,
    docsPagePolicy(nonce),
    docsPage({ title, descriptionPath: `${apiPath}/openapi.json`, scriptPath, nonce }),
  );
  return true;
}
