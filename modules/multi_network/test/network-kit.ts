import path from 'node:path';
import {
  type Client,
  type Identity,
  startTestHost,
  type TestHost,
  type TestHostOptions,
  type TestUser,
} from '@lyceum/core/testing';
import type { Test } from 'supertest';

export const networks = 'svc/multi-network/v1/networks';

/** A host whose multi-network setup is committed. */
export interface Installation {
  readonly lyceum: TestHost;
  readonly admin: TestUser;
  readonly operator: Client;
  /** POST /networks with what a creation needs unless the body says otherwise. */
  create(body?: object, who?: Identity): Test;
}

export async function startCommitted(options: TestHostOptions = {}): Promise<Installation> {
  const lyceum = await startTestHost({
    modules: ['multi_network', 'site_manager', 'test_vault'],
    folders: [path.join(import.meta.dirname, 'packages')],
    ...options,
  });
  const admin = await lyceum.make.admin();
  const operator = lyceum.as(admin, options.config?.baseUrl ? homeOf(options.config.baseUrl) : undefined);
  await operator.put('svc/modules/v1/multi-network', { committed: true }).expect(200);
  let count = 0;
  const create = (body: object = {}, who: Identity = admin): Test => {
    count += 1;
    const standard = { domain: `made${count}.example`, path: '/', site_name: `Made ${count}` };
    return lyceum
      .as(who, options.config?.baseUrl ? homeOf(options.config.baseUrl) : undefined)
      .post(networks, {
        ...standard,
        ...body,
      });
  };
  return { lyceum, admin, operator, create };
}

const homeOf = (url: URL) => ({ domain: url.hostname, path: url.pathname });

/** How many rows there are of what a creation writes. */
export async function countRows({ lyceum }: Installation): Promise<Record<string, number>> {
  const { knex } = lyceum.host.db;
  const tables = [
    'networks',
    'sites',
    'network_options',
    'site_options',
    'super_admins',
    'memberships',
    'terms',
    'audit_log',
  ];
  const counts = await Promise.all(tables.map((table) => knex(table).count({ n: '*' }).first()));
  return Object.fromEntries(tables.map((table, at) => [table, Number(counts[at]?.n)]));
}
