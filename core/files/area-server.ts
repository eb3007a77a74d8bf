import type { Context } from 'koa';
import type { AreaFile, ServedArea } from '../api/area.ts';
import { isRead } from '../http/only-reads.ts';
import { type SiteCallParts, siteCall } from '../http/pages/site-call.ts';
import type { SiteSurface } from '../http/server.ts';
import { derived } from '../registry/installed.ts';
import { type InstalledModules, type ModuleSpec, specs } from '../registry/spec.ts';
import { filesSegment } from './file-links.ts';
import { noSuchFile, sendStored } from './send-stored.ts';
import { decideServe } from './serve.ts';
import { readNamedPath } from './served-path.ts';
import type { Storage } from './storage.ts';

interface Declared {
  readonly area: ServedArea;
  readonly module: ModuleSpec;
}

/** Serves `/files/{folder}/…` of a site where the module that declares the folder is on. */
export function moduleAreas(parts: SiteCallParts & { readonly storage: Storage }): SiteSurface {
  const areasOf = derived(declaredAreas);
  return {
    serve: async (exchange) => {
      const { ctx, rest, state } = exchange;
      const [files, folder = '', ...below] = rest.split('/');
      if (files !== filesSegment || below.length === 0) return false;
      const declared = areasOf(state.modules).get(folder);
      if (!declared || !state.isOn(declared.module.id)) return false;
      const { area, module } = declared;
      // Whoever asks for what is not there, or may not be asked for, is told so under the same headers.
      for (const [name, value] of Object.entries(area.headers ?? {})) ctx.set(name, value);
      if (!isRead(ctx)) return true;
      forgetCaller(ctx);
      if (area.crossOrigin) ctx.set('Access-Control-Allow-Origin', '*');
      const path = pathBelow(below.join('/'));
      if (path === null) return noSuchFile();
      const { call, run } = siteCall(parts, { id: area.id, module }, exchange);
      const file = await run(() => area.find(path, call));
      if (file === null) return noSuchFile();
      const decision = decideServe(
        ctx.method === 'HEAD' ? 'HEAD' : 'GET',
        ctx.req.headers,
        served(area, file),
      );
      const headers = { ...decision.headers, ...area.headers };
      if (await sendStored(ctx, parts.storage, file, { ...decision, headers })) return true;
      parts.log.error({ area: area.id, path }, 'a stored file is missing or not whole');
      return noSuchFile();
    },
  };
}

/** Any cache may keep the file, so nothing of who asked may be in the answer: no nonce, no origin by name. */
function forgetCaller(ctx: Context): void {
  for (const name of ctx.res.getHeaderNames()) {
    if (name === 'x-svc-nonce' || name === 'vary' || name.startsWith('access-control-')) ctx.remove(name);
  }
}

const declaredAreas = (modules: InstalledModules): ReadonlyMap<string, Declared> =>
  new Map(
    [...specs(modules)].flatMap((module) =>
      module.areas.map((area) => [area.folder, { area, module }] as const),
    ),
  );

/** The folder itself and a folder below it are asked for with a slash at the end. */
function pathBelow(raw: string): string | null {
  if (raw === '') return '';
  const folder = raw.endsWith('/');
  const path = readNamedPath(folder ? raw.slice(0, -1) : raw);
  return path === null || !folder ? path : `${path}/`;
}

const served = (area: ServedArea, file: AreaFile) => ({
  bytes: file.bytes,
  modified: file.modified_at,
  mime: file.mime_type,
  filename: file.filename,
  pagePolicy: file.policy,
  etag: file.etag,
  immutable: file.immutable,
  visibility: 'public' as const,
  crossOrigin: area.crossOrigin,
});
