import {
  defineOperation,
  type InstalledModule,
  pageQuery,
  type SiteState,
  Sites,
  State,
  wrappedPage,
  yup,
} from '@lyceum/core';
import { stateNow } from '../find-module.ts';
import { inNetwork, reasons, scopes } from '../module-record.ts';

const Matrix = yup.object({
  modules: yup
    .array()
    .of(
      yup.object({
        id: yup.string().required(),
        title: yup.string().required(),
        locked: yup.boolean().required(),
        scopes: scopes(),
        network: yup.boolean().required(),
      }),
    )
    .required(),
  sites: yup
    .array()
    .of(
      yup.object({
        blog_id: yup.number().integer().required(),
        title: yup.string().defined(),
        domain: yup.string().required(),
        path: yup.string().required(),
        cells: yup
          .array()
          .of(
            yup.object({
              module: yup.string().required(),
              enabled: yup.boolean().required(),
              reason: reasons(),
              override: yup.boolean().nullable().defined(),
            }),
          )
          .required(),
      }),
    )
    .required(),
});

export const showMatrix = defineOperation({
  id: 'modules.show-matrix',
  method: 'GET',
  path: 'svc/modules/v1/matrix',
  summary: 'Which module is on at which site of the network, and why not',
  description:
    'Pages go by site. Each site has a cell per module, in the order of `modules`; a page costs four statements.',
  access: { can: 'manage_network_options', onSingleSite: 'manage_options' },
  input: { query: yup.object({ search: yup.string().max(200), ...pageQuery() }) },
  paged: true,
  output: Matrix,
  handle: async ({ query }, call) => {
    const { search, page: number, per_page } = query;
    const { network_id } = call.site;
    const order = { page: number, per_page, orderby: 'blog_id', order: 'asc' } as const;
    const { sites, total } = await call.get(Sites).list({ network_id, search }, order);
    const state = call.get(State);
    const states = await state.readMany(sites.map(({ blog_id }) => blog_id));
    const modules = [...state.modules.values()];
    const here = await stateNow(call);
    const rows = sites.flatMap(({ blog_id, title, domain, path }) => {
      const site = states.get(blog_id);
      // Purged between the two statements.
      return site ? [{ blog_id, title, domain, path, cells: cellsOf(modules, site) }] : [];
    });
    return wrappedPage({ modules: modules.map((module) => columnOf(module, here)), sites: rows }, total);
  },
});

function columnOf(module: InstalledModule, here: SiteState) {
  const { id, spec } = module;
  return {
    id,
    title: spec?.title ?? id,
    locked: spec?.locked ?? false,
    scopes: spec?.scopes ?? [],
    network: inNetwork(module, here),
  };
}

const cellsOf = (modules: readonly InstalledModule[], site: SiteState) =>
  modules.map(({ id }) => ({
    module: id,
    ...(site.standings.get(id) ?? { enabled: false, reason: 'error' as const }),
    override: site.wishes.site.get(id) ?? null,
  }));
