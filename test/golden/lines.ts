import type { Access } from '../../core/api/operation.ts';
import type { RouteTable } from '../../core/http/route-table.ts';

function accessWord(access: Access): string {
  if ('public' in access) return 'public';
  if ('signedIn' in access)
    return access.withoutNonce === undefined ? 'signed-in' : 'signed-in(cookie-alone)';
  if ('secret' in access) return `secret(${access.secret.id})${access.can ? `+can(${access.can})` : ''}`;
  if ('can' in access) return `can(${access.can}${access.onSingleSite ? `|${access.onSingleSite}` : ''})`;
  if ('canAny' in access) return `any(${access.canAny.join(',')})`;
  return 'canAll' in access ? `all(${access.canAll.join(',')})` : 'check';
}

/** One line per operation: method, path, id, access, and whether the published contract has it. Sorted. */
export function goldenLines({ operations }: RouteTable): string[] {
  return operations
    .map(({ operation }) => {
      const { method, path, id, access, contract } = operation;
      return `${method} ${path}  ${id}  ${accessWord(access)}  [${contract ? 'contract' : 'extension'}]`;
    })
    .sort();
}
