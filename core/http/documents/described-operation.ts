import { universalErrors } from '../../api/host-errors.ts';
import { declaredErrors } from '../../registry/declared-errors.ts';
import type { InstalledModules } from '../../registry/spec.ts';
import type { CompiledOperation, RouteTable } from '../route-table.ts';
import { bodyFields, type InputField, pathFields, queryFields } from './input-fields.ts';

/** What both descriptions of the API say of an operation, whatever the site. */
export interface DescribedOperation {
  readonly compiled: CompiledOperation;
  readonly path: readonly InputField[];
  readonly query: readonly InputField[];
  readonly body: readonly InputField[];
  /** Not named by the published contract. */
  readonly extension: boolean;
  /** Every code that it may answer, sorted. */
  readonly codes: readonly string[];
}

/** An operation that is documented is no answer to a wrong method. */
const everywhere = universalErrors.filter((code) => code !== 'rest_method_not_allowed');

/** Describes every operation of the installation; about 0.1 ms each, so once per process. */
export function describeOperations(
  routes: RouteTable,
  modules: InstalledModules,
): ReadonlyMap<CompiledOperation, DescribedOperation> {
  const declared = declaredErrors(routes.operations, modules);
  return new Map(
    routes.operations.map((compiled) => {
      const { operation, module } = compiled;
      const described: DescribedOperation = {
        compiled,
        path: pathFields(operation),
        query: queryFields(operation),
        body: bodyFields(operation),
        extension: operation.contract !== true || modules.get(module.id)?.source !== 'builtin',
        codes: [...new Set([...(declared.get(operation.id) ?? []), ...everywhere])].sort(),
      };
      return [compiled, described] as const;
    }),
  );
}
