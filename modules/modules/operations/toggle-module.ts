import { defineOperation, fail, type Method, type Operation, word, yup } from '@lyceum/core';
import { findModule } from '../find-module.ts';
import { administrators, mayChangeNetwork } from '../rights.ts';
import { toggle } from '../toggle.ts';

const ToggleResult = yup.object({
  id: yup.string().required(),
  enabled: yup.boolean().required(),
  scope: word('network', 'site').required(),
  locked: yup.boolean().required(),
  dry_run: yup.boolean(),
  routes: yup.array().of(yup.string().required()),
  jobs_pending: yup.number().integer(),
  sites: yup.number().integer(),
});

/** The contract names two methods for one act. */
const toggleBy = (id: string, method: Method): Operation =>
  defineOperation({
    id,
    method,
    path: 'svc/modules/v1/modules/{id}',
    summary: 'Switch a module for the network or for one site',
    description:
      '`dry_run` checks and counts without writing. `reset` with scope `site` removes the override of the site.',
    contract: true,
    access: administrators,
    site: 'selectable',
    input: {
      params: yup.object({ id: yup.string().required() }),
      body: yup.object({
        enabled: yup.boolean(),
        scope: word('network', 'site').default('network'),
        reset: yup.boolean().default(false),
        dry_run: yup.boolean().default(false),
      }),
    },
    output: ToggleResult,
    errors: ['module_not_found', 'module_toggle_refused', 'module_enable_failed'],
    example: {
      body: { enabled: false, scope: 'network' },
      answer: { id: 'site_manager', enabled: false, scope: 'network', locked: false },
    },
    handle: ({ params, body }, call) => {
      const { scope, enabled, reset, dry_run: dryRun } = body;
      if (reset && scope !== 'site') {
        fail('rest_invalid_param', { data: { params: { reset: 'goes with scope "site" only' } } });
      }
      if (!reset && enabled === undefined) {
        fail('rest_missing_callback_param', { data: { params: ['enabled'] } });
      }
      const module = findModule(call, params.id);
      if (!(scope === 'network' ? mayChangeNetwork(call) : call.can('manage_options')))
        fail('rest_forbidden');
      return toggle(call, { module, scope, enabled: reset ? null : (enabled ?? null), dryRun });
    },
  });

export const toggleModule = toggleBy('modules.toggle', 'PATCH');
export const putModule = toggleBy('modules.put', 'PUT');
