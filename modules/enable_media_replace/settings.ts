import { type SettingDeclaration, word, yup } from '@lyceum/core';

/** What becomes of name and address: they stay, or they follow the new file with all that names them. */
export const replaceTypes = ['replace', 'replace_and_search'] as const;
export type ReplaceType = (typeof replaceTypes)[number];

/** What becomes of the times: both are now; only that of the last change is; the creation is a given one. */
export const timestampChoices = [1, 2, 3] as const;
export type TimestampChoice = (typeof timestampChoices)[number];

export const settings: Readonly<Record<string, SettingDeclaration>> = {
  default_replace_type: {
    title: 'Whether name and address of the file stay, where nobody says',
    schema: word(...replaceTypes).required(),
    default: 'replace',
    scope: 'site',
  },
  default_timestamp_replace: {
    title: 'Times after a replacement, where nobody says: 1 both now, 2 only the last change',
    schema: yup.number().oneOf([1, 2]).required(),
    default: 2,
    scope: 'site',
  },
};
