import type { ErrorRow } from '../api/errors.ts';
import { hostBlogCodes, hostErrors } from '../api/host-errors.ts';
import type { Access, Operation } from '../api/operation.ts';
import { type InstalledModules, specs } from './spec.ts';

/** The row of every code of the installation. The host's own stand above those of modules. */
export function errorRows(modules: InstalledModules): ReadonlyMap<string, ErrorRow> {
  const rows = new Map<string, ErrorRow>();
  for (const spec of specs(modules)) {
    for (const [code, row] of Object.entries(spec.errors)) rows.set(code, row);
  }
  for (const [code, row] of Object.entries(hostErrors)) rows.set(code, row);
  return rows;
}

/** An operation with the methods that reach it, as a route table has them. */
interface Reachable {
  readonly operation: Operation;
  readonly methods: readonly string[];
}

/** Codes that follow from the shape of an operation and need not be listed in it. */
function impliedErrors({ operation, methods }: Reachable): string[] {
  const { input, access } = operation;
  const codes = accessErrors(access);
  const reads = input?.query || input?.body || operation.multipart;
  if (operation.badInput) codes.push(operation.badInput);
  else if (reads) codes.push('rest_invalid_param', 'rest_missing_callback_param');
  else if (input?.params) codes.push('rest_invalid_param');
  if (input?.body && (!operation.multipart || operation.multipart.orJson)) {
    codes.push('rest_invalid_json', 'rest_unsupported_media_type', 'rest_body_too_large');
  }
  if (operation.multipart) {
    codes.push(
      'rest_unsupported_media_type',
      'rest_body_too_large',
      'rest_upload_incomplete',
      'storage_unavailable',
    );
  }
  if (operation.site === 'selectable') {
    const { invalid, unknown } = operation.blogCodes ?? hostBlogCodes;
    codes.push(invalid, unknown);
  }
  // A public operation too: whoever calls it may be signed in.
  if (methods.includes('POST')) {
    codes.push('idempotency_key_reused', 'idempotency_in_progress', 'rest_invalid_param');
  }
  return codes;
}

/** How callers are refused who prove nothing, prove it wrongly, or may not. */
function accessErrors(access: Access): string[] {
  if ('public' in access) return [];
  if (!('secret' in access)) return ['rest_forbidden', 'rest_not_logged_in', 'rest_cookie_invalid_nonce'];
  const { refusals, errors } = access.secret;
  const denied = access.can === undefined ? [] : [refusals.denied];
  return [refusals.missing, refusals.wrong, ...denied, ...(errors ?? [])];
}

/** Every code that each operation may answer besides the universal ones: own, implied, and added by other modules. */
export function declaredErrors(
  operations: readonly Reachable[],
  modules: InstalledModules,
): ReadonlyMap<string, ReadonlySet<string>> {
  const declared = new Map<string, Set<string>>();
  for (const reachable of operations) {
    const { id, errors } = reachable.operation;
    declared.set(id, new Set([...(errors ?? []), ...impliedErrors(reachable)]));
  }
  for (const spec of specs(modules)) {
    for (const [id, codes] of Object.entries(spec.errorsElsewhere)) {
      for (const code of codes) declared.get(id)?.add(code);
    }
  }
  return declared;
}
