/** A document as the site lists it. */
export interface Item {
  readonly post_id: number;
  readonly post_type: string;
  readonly slug: string;
  readonly editor: 'block' | 'pagebuilder' | 'turbo';
  readonly hash: string;
  readonly title: string;
  readonly status: string;
}

export interface WholeItem extends Item {
  readonly content: string;
}

export interface Written {
  readonly changed: boolean;
  readonly revision_id: number | null;
  readonly item: Item;
}

export interface Connection {
  readonly connection_id: string;
  readonly access_token: string;
  readonly site: { readonly api_url: string; readonly title: string };
}

/** Anything but success: the code is stable, the message is for people. */
export class StudioError extends Error {
  readonly status: number;
  readonly code: string;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    body: { code?: string; message?: string; data?: Record<string, unknown> | null },
  ) {
    super(body.message ?? `The site answered ${status}.`);
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.data = body.data ?? {};
  }
}

async function ask<T>(url: string, method: string, token: string | null, body: object | null): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === null ? null : JSON.stringify(body),
  });
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new StudioError(response.status, answer as { code?: string });
  return answer as T;
}

/** Spends a connect token. What comes back is the only copy of the access token. */
export const connect = (connectUrl: string, token: string, deviceName: string): Promise<Connection> =>
  ask(connectUrl, 'POST', null, { token, device_name: deviceName, platform: process.platform });

/** The routes of one site, for one connection. */
export class StudioClient {
  readonly #apiUrl: string;
  readonly #token: string;

  constructor(apiUrl: string, token: string) {
    this.#apiUrl = apiUrl;
    this.#token = token;
  }

  async items(types: readonly string[]): Promise<readonly Item[]> {
    const query = `?post_type=${types.join(',')}`;
    return (await this.#ask<{ items: Item[] }>(`sync/items${query}`, 'GET', null)).items;
  }

  async read(postId: number): Promise<WholeItem> {
    return (await this.#ask<{ item: WholeItem }>(`sync/posts/${postId}`, 'GET', null)).item;
  }

  /** May be repeated after a lost answer: a text that is there already changes nothing. */
  write(postId: number, baseHash: string, content: string): Promise<Written> {
    return this.#ask(`sync/posts/${postId}`, 'PATCH', { base_hash: baseHash, content });
  }

  disconnect(connectionId: string): Promise<unknown> {
    return this.#ask('desktop/disconnect', 'POST', { connection_id: connectionId });
  }

  #ask<T>(route: string, method: string, body: object | null): Promise<T> {
    return ask(`${this.#apiUrl}/${route}`, method, this.#token, body);
  }
}
