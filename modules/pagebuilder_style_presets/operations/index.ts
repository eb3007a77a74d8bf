import type { Operation } from '@lyceum/core';
import { changePreset } from './change-preset.ts';
import { createPreset } from './create-preset.ts';
import { getPreset } from './get-preset.ts';
import { listPresets } from './list-presets.ts';

export const operations: readonly Operation[] = [listPresets, createPreset, getPreset, changePreset];
