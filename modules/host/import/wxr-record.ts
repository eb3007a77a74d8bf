/** What an export says of an author. */
export interface WxrAuthor {
  readonly kind: 'author';
  readonly login: string;
  readonly email: string;
  readonly displayName: string;
  readonly firstName: string;
  readonly lastName: string;
}

export interface WxrMeta {
  readonly key: string;
  readonly value: string;
}

/** A term in the head of an export. */
export interface WxrTerm {
  readonly kind: 'term';
  /** As the export names it: `category`, `tag`, `post_tag`, or another. */
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  /** Slug of the parent; empty for a root. */
  readonly parent: string;
  readonly description: string;
  readonly meta: readonly WxrMeta[];
}

/** A term as an item names it. */
export interface WxrAssignment {
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
}

/** A record of any type, all of it text as it stands in the export. */
export interface WxrItem {
  readonly kind: 'item';
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly title: string;
  readonly slug: string;
  readonly content: string;
  readonly excerpt: string;
  readonly creator: string;
  readonly password: string;
  readonly parent: string;
  readonly menuOrder: string;
  readonly date: string;
  readonly dateGmt: string;
  readonly modified: string;
  readonly modifiedGmt: string;
  readonly guid: string;
  readonly attachmentUrl: string;
  readonly terms: readonly WxrAssignment[];
  readonly meta: readonly WxrMeta[];
  readonly comments: number;
  /** It is larger than a record may be, and was not read to its end. */
  readonly isTooLarge: boolean;
}

export type WxrRecord =
  | { readonly kind: 'version'; readonly text: string }
  /** Address of the exported site; `link` is what plain RSS says of it. */
  | { readonly kind: 'base'; readonly url: string }
  | { readonly kind: 'link'; readonly url: string }
  | WxrAuthor
  | WxrTerm
  | WxrItem;
