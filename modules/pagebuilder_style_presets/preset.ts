import { canonicalHash, record, time, word, yup } from '@lyceum/core';

/** Where a preset stands. */
export const statuses = ['publish', 'trash'] as const;
export type PresetStatus = (typeof statuses)[number];

/** A preset as it is stored. */
export interface Preset {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  /** What it is for; never changes. */
  readonly element_type: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** At most one of a site's presets for an element is. */
  readonly is_default: boolean;
  readonly status: PresetStatus;
  /** 0 when the account is gone. */
  readonly author_id: number;
  readonly created_at: string;
  readonly modified_at: string;
}

const integer = () => yup.number().integer();

/** A preset as the API shows it. */
export const PresetRecord = yup.object({
  id: integer().required(),
  name: yup.string().required(),
  slug: yup.string().required(),
  element_type: yup.string().required(),
  settings: record().required(),
  is_default: yup.boolean().required(),
  status: word(...statuses).required(),
  hash: yup.string().length(64).required(),
  author_id: integer().required(),
  created_at: time().required(),
  modified_at: time().required(),
});

/** With the hash of the settings that it has now. */
export const presentPreset = (preset: Preset) => ({ ...preset, hash: canonicalHash(preset.settings) });

/** Names are the same whatever the case of their letters and however those are composed. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();
