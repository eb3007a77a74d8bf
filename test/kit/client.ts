import supertest, { type Test } from 'supertest';

/** Headers by which somebody is known. */
export interface Identity {
  readonly headers: Readonly<Record<string, string>>;
}

export const nobody: Identity = { headers: {} };

/** Requests as one identity to the API of one site. `route` is that of the contract, without leading slash. */
export interface Client {
  get(route: string): Test;
  post(route: string, body?: object): Test;
  put(route: string, body?: object): Test;
  patch(route: string, body?: object): Test;
  delete(route: string, body?: object): Test;
  options(route: string): Test;
}

export interface ClientTarget {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  /** Path of the site, with slashes. */
  readonly sitePath: string;
  /** `Host` of the request; undefined leaves the origin's. */
  readonly hostName: string | undefined;
  readonly apiRoot: string;
}

export function clientFor(target: ClientTarget, identity: Identity): Client {
  const agent = supertest(target.origin);
  const send = (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'options',
    route: string,
    body?: object,
  ): Test => {
    const request = agent[method](`${target.sitePath}${target.apiRoot}/${route}`).set(identity.headers);
    if (target.hostName) request.set('Host', target.hostName);
    return body === undefined ? request : request.send(body);
  };
  return {
    get: (route) => send('get', route),
    post: (route, body) => send('post', route, body),
    put: (route, body) => send('put', route, body),
    patch: (route, body) => send('patch', route, body),
    delete: (route, body) => send('delete', route, body),
    options: (route) => send('options', route),
  };
}
