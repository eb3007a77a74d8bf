import { createHash } from 'node:crypto';
import {
  type Client,
  type Identity,
  startTestHost,
  type TestHost,
  type TestHostOptions,
  type TestSite,
} from '@lyceum/core/testing';
import { expect } from 'chai';

export const posts = 'svc/host/v1/posts';
export const route = (name: string): string => `svctutor-forms/form/v1/${name}`;

/** The token of a form of which nothing was saved. */
export const freshToken = 'cfb71d8502bf5296ab336f245690f1b2';

export const md5 = (...texts: string[]): string => createHash('md5').update(texts.join('')).digest('hex');

/** A host with forms, and an editor on its main site. */
export class FormKit {
  readonly lyceum: TestHost;
  readonly editor: Client;
  readonly #who: Identity;

  constructor(lyceum: TestHost, who: Identity) {
    this.lyceum = lyceum;
    this.editor = lyceum.as(who);
    this.#who = who;
  }

  static async start(options: TestHostOptions = {}): Promise<FormKit> {
    const lyceum = await startTestHost({ modules: ['svctutor_form'], ...options });
    return new FormKit(lyceum, await lyceum.make.user({ role: 'editor' }));
  }

  /** The same editor at another process of the installation. */
  async beside(config: TestHostOptions['config'] = {}): Promise<FormKit> {
    const lyceum = await startTestHost({ modules: ['svctutor_form'], beside: this.lyceum, config });
    return new FormKit(lyceum, this.#who);
  }

  async person(role: string | null, site?: TestSite): Promise<Client> {
    const user = await this.lyceum.make.user({ role, ...(site ? { site: site.blog_id } : {}) });
    return this.lyceum.as(user, site);
  }

  /** Creates a form; its id. */
  async form(body: object = {}, client: Client = this.editor): Promise<number> {
    const answer = await client.post(posts, { type: 'form', title: 'Form', ...body }).expect(201);
    return answer.body.id as number;
  }

  async data(id: number, client: Client = this.editor) {
    return (await client.get(route(`getRunnerData?id=${id}`)).expect(200)).body;
  }

  update(part: string, body: object, client: Client = this.editor) {
    return client.post(route(`update${part}`), body);
  }

  /** Saves a part with the token that is right now; the new one. */
  async save(id: number, part: string, body: object): Promise<string> {
    const { token } = await this.data(id);
    return (await this.update(part, { id, token, ...body }).expect(200)).body.token as string;
  }

  async refused(part: string, body: object, status: number, code: string, client = this.editor) {
    const answer = await this.update(part, body, client).expect(status);
    expect(answer.body.code, JSON.stringify(body).slice(0, 200)).to.equal(code);
    return answer.body as { readonly message: string; readonly data: Record<string, never> };
  }
}
