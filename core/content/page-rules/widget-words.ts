/** Which widgets a site knows, and which of them may hold containers. */
export interface WidgetWords {
  readonly known: readonly string[];
  readonly nested: readonly string[];
}

/** By what pages are checked. */
export interface PageRules extends WidgetWords {
  /** Whether a path that a page names by `local://` is one of its project's files; null: nobody asks. */
  readonly isFile: ((path: string) => boolean) | null;
}

/** What a site knows as long as nobody says otherwise. */
export const standardWidgets: PageRules = {
  known: (
    'heading text-editor image button html shortcode video icon icon-list divider spacer tabs accordion toggle ' +
    'image-box icon-box google_maps form posts progress counter testimonial alert nested-tabs nested-accordion'
  ).split(' '),
  nested: ['nested-tabs', 'nested-accordion', 'nested-carousel', 'mega-menu'],
  isFile: null,
};
