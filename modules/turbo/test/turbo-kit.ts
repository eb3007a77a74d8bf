import { Storage } from '@lyceum/core';
import {
  type Client,
  runSchedule,
  startTestHost,
  type TestHost,
  type TestHostOptions,
} from '@lyceum/core/testing';
import { expect } from 'chai';

export const route = (name: string): string => `svclms/turbo/v1/${name}`;
export const posts = 'svc/host/v1/posts';
export const modules = 'svc/modules/v1/modules';

/** A host with turbo and forms, and people on its main site. */
export class TurboKit {
  readonly lyceum: TestHost;
  readonly admin: Client;
  readonly editor: Client;

  constructor(lyceum: TestHost, admin: Client, editor: Client) {
    this.lyceum = lyceum;
    this.admin = admin;
    this.editor = editor;
  }

  static async start(options: TestHostOptions = {}): Promise<TurboKit> {
    const lyceum = await startTestHost({ modules: ['turbo', 'svctutor_form'], ...options });
    const { make } = lyceum;
    return new TurboKit(
      lyceum,
      lyceum.as(await make.admin()),
      lyceum.as(await make.user({ role: 'editor', login: 'eve' })),
    );
  }

  async person(role: string | null, given: object = {}): Promise<Client> {
    return this.lyceum.as(await this.lyceum.make.user({ role, ...given }));
  }

  /** A published page; its id. */
  async page(content: string, fields: object = {}): Promise<number> {
    const body = { type: 'page', title: 'Page', status: 'publish', content, ...fields };
    return (await this.editor.post(posts, body).expect(201)).body.id;
  }

  async static(id: number, client: Client = this.editor) {
    return (await client.get(route(`static/${id}`)).expect(200)).body;
  }

  /** Whether the storage has a file under this key. */
  async stored(key: string): Promise<boolean> {
    return (await this.lyceum.host.services.host(Storage).stat(key)) !== null;
  }

  sweep(): Promise<void> {
    return runSchedule(this.lyceum, 'turbo.sweep-folders');
  }

  /** What lies at an address of this host, whatever name of it the address has. */
  async fetch(url: string, headers: Record<string, string> = {}) {
    const { pathname, search } = new URL(url);
    const answer = await fetch(`${this.lyceum.origin}${pathname}${search}`, { headers, redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  async refused(
    client: Client,
    [method, path, body]: readonly [method: 'get' | 'post', path: string, body?: object],
    status: number,
    code: string,
  ) {
    const request = method === 'get' ? client.get(route(path)) : client.post(route(path), body ?? {});
    const answer = await request;
    expect([answer.status, answer.body.code], JSON.stringify(body ?? path).slice(0, 200)).to.deep.equal([
      status,
      code,
    ]);
    return answer.body as { readonly message: string; readonly data: Record<string, never> };
  }
}
