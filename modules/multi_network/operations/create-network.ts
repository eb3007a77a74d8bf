import {
  Addresses,
  audit,
  type Call,
  callerOf,
  created,
  Database,
  defineOperation,
  fail,
  judged,
  maxId,
  Networks,
  type NetworkWish,
  SettingsService,
  SiteAddresses,
  State,
  Users,
  yup,
} from '@lyceum/core';
import type { Knex } from 'knex';
import { Network } from '../network-fields.ts';
import { type ReadWish, readWish } from '../read-wish.ts';

const path = 'svc/multi-network/v1/networks';

/** Any JSON, as the required fields are: all are read by `readWish`, because absence has a code of its own. */
const field = (jsonSchema: Readonly<Record<string, unknown>>) =>
  yup.mixed<string | number | boolean | object>().nullable().meta({ jsonSchema });

/** Slugs that no site may take: those of the host, and those that the current network keeps free. */
function reservedIn(call: Call): (slug: string) => boolean {
  const places = call.get(SiteAddresses);
  const manager = call.get(State).modules.get('site_manager')?.spec;
  const further = manager ? call.get(SettingsService).value(manager, 'reserved_slugs', call.state) : [];
  return (slug) => places.isReserved(slug, further as string[]);
}

/** The installation as locked until the transaction ends. @throws `multi_network_not_ready` */
async function checkReady(call: Call, trx: Knex.Transaction): Promise<void> {
  const networks = call.get(Networks);
  const state = await call.get(State).lock(trx, await networks.operatorSite(trx));
  const spec = state.networkCommitted ? call.get(State).modules.get('multi_network')?.spec : null;
  if (!spec) return fail('multi_network_not_ready');
  const setting = (name: string): unknown => call.get(SettingsService).value(spec, name, state);
  const full = await networks.hasAsManyAs(setting('max_networks') as number, trx);
  if (full || setting('creation_enabled') !== true) fail('multi_network_not_ready');
}

/** Checks what the wish refers to, in the order that clients rely on. */
async function grant(call: Call, trx: Knex.Transaction, wish: ReadWish): Promise<NetworkWish> {
  const networks = call.get(Networks);
  const caller = callerOf(call).id;
  const user_id = wish.user_id ?? caller;
  const known =
    user_id >= 1 &&
    user_id <= maxId &&
    (await networks.userExists(user_id, trx)) &&
    (await call.get(Users).mayBePlaced(trx, call.site.network_id, user_id, caller));
  if (!known) fail('network_user');
  const source = wish.clone_network_id ?? call.site.network_id;
  const isId = source >= 1 && source <= maxId;
  const { network_id: clone_network_id } = await networks.get(caller, isId ? source : null, trx);
  if (wish.domain === '') fail('network_empty');
  return { ...wish, user_id, clone_network_id };
}

/** One row in the network that the request came to, one in the new network. */
async function note(call: Call, trx: Knex.Transaction, wish: NetworkWish, network_id: number): Promise<void> {
  const { domain, path: at, user_id, clone_network_id, options_to_clone } = wish;
  for (const networkId of [call.site.network_id, network_id]) {
    await audit(trx, call, {
      module: 'multi_network',
      action: 'network.create',
      subject: `network:${network_id}`,
      scope: 'network',
      networkId,
      blogId: null,
      to: { domain, path: at, user_id, clone_network_id, options: options_to_clone },
    });
  }
}

export const createNetwork = defineOperation({
  id: 'multi_network.create-network',
  method: 'POST',
  path,
  summary: 'Create a network with its own root site',
  description:
    'The domain loses scheme, path and spaces; the path gets a slash at its end. `site_admins` among the options stands for the super admins of the source.',
  access: { can: 'create_networks' },
  contract: true,
  input: {
    body: yup.object({
      domain: judged({ type: 'string' }, { required: true }),
      path: judged({ type: 'string' }, { required: true }),
      site_name: judged({ type: 'string', minLength: 1, maxLength: 200 }, { required: true }),
      network_name: field({ type: 'string', maxLength: 200 }),
      user_id: field({ type: 'integer' }),
      clone_network_id: field({ type: 'integer' }),
      options_to_clone: field({
        type: 'array',
        maxItems: 100,
        items: { type: 'string', maxLength: 100 },
      }),
    }),
  },
  success: 201,
  output: Network,
  errors: [
    'missing_fields',
    'multi_network_not_ready',
    'network_user',
    'network_super_admin',
    'network_not_found',
    'network_empty',
    'network_exists',
  ],
  example: { body: { domain: 'second.example', path: '/', site_name: 'Second school' } },
  handle: async ({ body }, call) => {
    const wish = readWish(body, reservedIn(call));
    const networks = call.get(Networks);
    const network = await call.get(Database).transaction(async (trx) => {
      await checkReady(call, trx);
      const granted = await grant(call, trx, wish);
      const made = await networks.create(trx, call, granted);
      await note(call, trx, granted, made.network_id);
      return made;
    });
    const location = call.get(Addresses).route(call.currentSite, `${path}/${network.network_id}`);
    return created(networks.show(network), location);
  },
});
