import type { Knex } from 'knex';
import type { Actor } from '../../api/actor.ts';
import type { SettingsService } from '../../settings/settings.ts';
import type { State } from '../../state/state.ts';
import type { Posts } from '../posts.ts';

export interface FirstPostParts {
  readonly posts: Posts;
  readonly settings: SettingsService;
  /** Asked for at each site: the state is made after the services. */
  readonly state: () => State;
}

const title = 'Hello world!';

/** The post that the network wants on every new site. */
export class FirstPost {
  readonly #parts: FirstPostParts;

  constructor(parts: FirstPostParts) {
    this.#parts = parts;
  }

  /** Publishes the HTML as a post in the new site's language. */
  async write(
    trx: Knex.Transaction,
    actor: Actor,
    site: { readonly blog_id: number; readonly network_id: number },
    post: { readonly author_id: number; readonly html: string },
  ): Promise<void> {
    const { posts, settings } = this.#parts;
    const state = this.#parts.state();
    const host = state.modules.get('host')?.spec;
    if (!host) throw new Error('The module "host" is not installed.');
    const lang = settings.value(host, 'default_lang', await state.within(trx, site.blog_id)) as string;
    const { user, ip, requestId } = actor;
    const { author_id, html } = post;
    const fields = { type: 'post', status: 'publish', title, content: html, author_id, lang } as const;
    await posts.create(trx, { site, user, ip, requestId }, fields);
  }
}
