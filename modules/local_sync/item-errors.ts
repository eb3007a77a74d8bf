/** What can be wrong with one page or file of a sync, while the others are done. */
const messages = {
  content_required: 'The content is needed and was not sent.',
  hash_mismatch: 'The content does not have the hash that was sent with it.',
  invalid_page: 'The page breaks rules of its editor.',
  unknown_parent: 'The parent is no page of the project of the same type, or pages of this type have none.',
  parent_cycle: 'The page would lie below itself.',
  parent_failed: 'The parent is not there, because something is wrong with it.',
  unknown_file: 'The page names a file that the project does not have.',
  bad_path: 'This is no path of a file.',
  type_not_allowed: 'The content of the file is of no type that is taken, or its name says another type.',
} as const;

export type ItemProblem = keyof typeof messages;

export interface ItemError {
  readonly code: string;
  readonly message: string;
}

export const itemError = (problem: ItemProblem): ItemError => ({
  code: `local_sync_${problem}`,
  message: messages[problem],
});
