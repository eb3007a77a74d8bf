export type { EntryProblem } from './entries/check-entry.ts';
export type { Entry, EntryField, Submission } from './entries/entry.ts';
export { FormEntries } from './entries/form-entries.ts';
export { formType } from './form/form.ts';
export { FormMarkup, type FormReader } from './form/form-markup.ts';
