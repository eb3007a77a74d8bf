/** Whose a term is: a site's, or a network's. */
export type TermOwner = { readonly blog_id: number } | { readonly network_id: number };

/** A term of a taxonomy. Exactly one of `blog_id` and `network_id` is set. */
export interface Term {
  readonly id: number;
  readonly blog_id: number | null;
  readonly network_id: number | null;
  readonly taxonomy: string;
  readonly name: string;
  readonly slug: string;
  /** 0 for a root. */
  readonly parent: number;
  readonly order: number;
  readonly icon: string;
  /** Names by language. */
  readonly names: Readonly<Record<string, string>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The owner of a term that was read. */
export const ownerOf = ({ blog_id, network_id }: Term): TermOwner =>
  blog_id === null ? { network_id: network_id as number } : { blog_id };
