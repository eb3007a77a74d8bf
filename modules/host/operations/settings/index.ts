import type { Operation } from '@lyceum/core';
import { changeSettings } from './change-settings.ts';
import { getSettings } from './get-settings.ts';

export const operations: readonly Operation[] = [getSettings, changeSettings];
