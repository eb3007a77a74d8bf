import {
  addressBlock,
  audit,
  type Call,
  type CapabilityTable,
  type Database,
  fail,
  type RateLimit,
  RateLimits,
  type UserHere,
  Users,
} from '@lyceum/core';
import type { ConnectTokenStore } from './connect-token-store.ts';
import { type Connection, idleDaysOf } from './connection.ts';
import type { ConnectionStore } from './connection-store.ts';
import { drawToken, hashToken } from './token.ts';

/** Connect tokens that were no good. */
const perAddress: RateLimit = { name: 'studio-connect', points: 10, seconds: 60 };

export interface Device {
  readonly device_name: string;
  readonly platform: string | null;
  readonly app_version: string | null;
}

export interface Connected {
  readonly connection: Connection;
  readonly user: UserHere;
  /** Known to nobody else from now on. */
  readonly accessToken: string;
}

/** Makes connections of connect tokens. */
export class Connecting {
  readonly #db: Database;
  readonly #tokens: ConnectTokenStore;
  readonly #connections: ConnectionStore;
  readonly #capabilities: CapabilityTable;

  constructor(
    db: Database,
    tokens: ConnectTokenStore,
    connections: ConnectionStore,
    capabilities: CapabilityTable,
  ) {
    this.#db = db;
    this.#tokens = tokens;
    this.#connections = connections;
    this.#capabilities = capabilities;
  }

  /**
   * Spends the token on a connection of its user.
   * @throws `studio_sync_invalid_connect_token`, `studio_sync_insufficient_permissions`,
   * `studio_sync_too_many_connections`, `rest_too_many_requests`
   */
  async connect(call: Call, token: string, device: Device): Promise<Connected> {
    const limits = call.get(RateLimits);
    const address = addressBlock(call.ip, 32);
    await limits.ask(perAddress, address);
    const connected = await this.#spend(call, hashToken('connect', token), device);
    if (connected) return connected;
    await limits.count(perAddress, address);
    return fail('studio_sync_invalid_connect_token');
  }

  /** Null when the token is no good. Whatever else is in the way leaves it as it was. */
  #spend(call: Call, tokenHash: Buffer, device: Device): Promise<Connected | null> {
    const { blog_id, network_id } = call.site;
    return this.#db.transaction(async (trx) => {
      const userId = await this.#tokens.find(trx, blog_id, tokenHash);
      if (userId === null) return null;
      // The account comes before the token, as where tokens are made: nobody waits in a circle.
      await call.get(Users).lock(trx, [userId]);
      const user = await call.get(Users).find(trx, call.site, userId);
      if (!user || !(await this.#tokens.spend(trx, blog_id, tokenHash))) return null;
      if (!this.#capabilities.holds(user.role, user.super_admin, 'edit_pages')) {
        fail('studio_sync_insufficient_permissions');
      }
      const live = await this.#connections.countLive(trx, userId, network_id, idleDaysOf(call));
      if (live >= call.setting<number>('max_connections_per_user')) fail('studio_sync_too_many_connections');
      const accessToken = drawToken('access');
      const connection = await this.#connections.insert(trx, {
        ...device,
        token_hash: hashToken('access', accessToken),
        network_id,
        blog_id,
        user_id: userId,
      });
      const { connection_id } = connection;
      const actor = { site: call.site, user, ip: call.ip, requestId: call.requestId };
      await audit(trx, actor, {
        module: 'studio_sync',
        action: 'studio_sync.connect',
        subject: `connection:${connection_id}`,
        to: { user_id: userId, connection_id, device_name: device.device_name },
      });
      return { connection, user, accessToken };
    });
  }
}
