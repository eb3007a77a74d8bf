import type { Database } from '../../db/database.ts';
import type { Addresses } from '../../http/addresses.ts';
import type { Html } from '../../http/pages/html.ts';
import type { SettingsService } from '../../settings/settings.ts';
import type { PageCode } from '../../shortcodes/page-code.ts';
import type { PagePlace } from '../../shortcodes/page-place.ts';
import type { ShortcodeProblem, Shortcodes } from '../../shortcodes/shortcodes.ts';
import type { State } from '../../state/state.ts';
import type { Post } from '../post.ts';
import { additionsOf } from './page-additions.ts';
import { pageHtml } from './page-html.ts';
import { findPageSite } from './page-site-store.ts';
import { stampOf } from './page-stamp.ts';

/** A dynamic shortcode of a page, whose place somebody else fills. */
export interface Placeholder {
  /** `d1`, `d2`… in the order of the page. */
  readonly key: string;
  /** As it was written, whole. */
  readonly shortcode: string;
}

/** A page as all readers see it. */
export interface RenderedPage {
  /** Inside of the body: the content and, behind it, what modules add. Scripts of the content included. */
  readonly html: string;
  readonly placeholders: readonly Placeholder[];
  /** Shortcodes that show nothing because they failed. */
  readonly problems: readonly ShortcodeProblem[];
  readonly stamp: string;
}

export interface PageRendererParts {
  readonly db: Database;
  readonly addresses: Addresses;
  /** Asked for at each look: the state is made after the services. */
  readonly state: () => State;
  readonly shortcodes: Shortcodes;
  readonly code: PageCode;
  readonly settings: SettingsService;
}

/** Renders pages of a site (pages, modals, courses) for whoever serves or packs them. */
export class PageRenderer {
  readonly #parts: PageRendererParts;

  constructor(parts: PageRendererParts) {
    this.#parts = parts;
  }

  /** Where pages of this site stand, as of now, for work that has no call; null where there is no such site. */
  async place(blogId: number): Promise<PagePlace | null> {
    const { db, addresses, state } = this.#parts;
    const row = await findPageSite(db, blogId);
    const seen = row && (await state().read(blogId));
    if (!seen) return null;
    return { site: { blog_id: blogId, network_id: row.network_id, url: addresses.site(row) }, state: seen };
  }

  /**
   * 64 hex digits that change whenever a rendering of the post would be another one. Renders nothing: costs what the
   * additions that modules declare cost, a look-up each.
   */
  async stamp(place: PagePlace, post: Post): Promise<string> {
    return stampOf(this.#parts.settings, place, post, await this.#additions(place, post));
  }

  /**
   * The page as all readers see it.
   * @param place a call, or what `place` answers
   * @param inPlace what stands where a dynamic shortcode does
   * @throws what says that the database or the storage is not there: what a module gets wrong only lacks its piece
   */
  async render(
    place: PagePlace,
    post: Post,
    inPlace: (placeholder: Placeholder) => Html,
  ): Promise<RenderedPage> {
    const additions = await this.#additions(place, post);
    const placeholders: Placeholder[] = [];
    const { html, problems } = await this.#parts.shortcodes.render(
      place,
      post,
      this.content(post),
      ({ text }) => {
        const placeholder = { key: `d${placeholders.length + 1}`, shortcode: text };
        placeholders.push(placeholder);
        return inPlace(placeholder);
      },
    );
    return {
      html: [html, ...additions].filter((part) => part !== '').join('\n'),
      placeholders,
      problems,
      stamp: stampOf(this.#parts.settings, place, post, additions),
    };
  }

  /**
   * The readable HTML of the post's document, without block comments and with its shortcodes as they were written.
   * What a reader may have expanded stands in it.
   */
  content(post: Pick<Post, 'content' | 'meta'>): string {
    return pageHtml(post);
  }

  #additions(place: PagePlace, post: Post): Promise<string[]> {
    return additionsOf(this.#parts.code, place, post);
  }
}
