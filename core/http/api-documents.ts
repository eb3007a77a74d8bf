import type { InstalledModules } from '../registry/spec.ts';
import type { Addresses } from './addresses.ts';
import type { Exchange } from './exchange.ts';
import type { RouteTable } from './route-table.ts';
import type { SiteSurface } from './server.ts';

export interface ApiDocumentParts {
  readonly routes: RouteTable;
  readonly modules: InstalledModules;
  readonly addresses: Addresses;
}

/** The API's two descriptions of itself: the index at its root and `openapi.json`. */
export function apiDocuments(_parts: ApiDocumentParts): SiteSurface {
  return {
    serve: async (_exchange: Exchange) => false,
  };
}
