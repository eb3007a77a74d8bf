import type { Operation } from '@lyceum/core';
import { createSession } from './create-session.ts';
import { endSession } from './end-session.ts';
import { getSession } from './get-session.ts';

export const operations: readonly Operation[] = [createSession, getSession, endSession];
