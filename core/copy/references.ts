/** What an id in a text may be the id of. Posts and attachments share one sequence, terms have their own. */
export type IdKind = 'post' | 'attachment' | 'term';

/**
 * What becomes of an id that is one of these kinds: its new value, null when what it named is not there any more,
 * undefined when nothing is known of it and it stays.
 */
export type NewId = (kinds: readonly IdKind[], id: number) => number | null | undefined;

/** An id as texts have it. Longer numbers are none. */
export const idForm = /^[1-9]\d{0,9}$/;
