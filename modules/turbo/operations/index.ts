import type { Operation } from '@lyceum/core';
import { createActorSession } from './create-actor-session.ts';
import { expandShortcodes } from './expand-shortcodes.ts';
import { getStaticPage } from './get-static-page.ts';
import { submitForm } from './submit-form.ts';

export const operations: readonly Operation[] = [
  createActorSession,
  submitForm,
  expandShortcodes,
  getStaticPage,
];
