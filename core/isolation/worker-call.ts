import type { Call } from '../api/call.ts';
import type { SiteState } from '../state/site-state.ts';
import type { KnownCall } from './call-words.ts';
import { WorkerReach, type WorkerReachParts } from './worker-reach.ts';

/** A call as a handler in a worker is given it. */
export class WorkerCall extends WorkerReach<KnownCall> implements Call {
  readonly site: Call['site'];
  readonly currentSite: Call['currentSite'];
  readonly user: Call['user'];
  readonly credential: Call['credential'];
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly single: boolean;
  readonly https: boolean;

  constructor(parts: WorkerReachParts<KnownCall>) {
    super(parts);
    const { words } = parts;
    this.site = words.site;
    this.currentSite = words.currentSite;
    this.user = words.user;
    const { secret, found } = words;
    this.credential = { ...words.credential, proof: secret ? { secret, found } : null };
    this.requestId = words.requestId;
    this.ip = words.ip;
    this.userAgent = words.userAgent;
    this.single = words.single;
    this.https = words.https;
  }

  header(name: string): string {
    const wanted = name.toLowerCase();
    return Object.hasOwn(this.words.headers, wanted) ? (this.words.headers[wanted] ?? '') : '';
  }

  /** Which modules are on, and of which moment that is. The options of the site stay with the host. */
  get state(): SiteState {
    const { on, ...facts } = this.words.state;
    const known = { ...facts, isOn: (id: string) => on.includes(id) };
    return new Proxy(known as unknown as SiteState, {
      get(target, name) {
        if (name in target || typeof name === 'symbol') return Reflect.get(target, name) as unknown;
        throw new Error(`call.state.${name} is not there in an isolated module.`);
      },
    });
  }
}
