import type { Operation } from '@lyceum/core';
import { changeTerm } from './change-term.ts';
import { createTerm } from './create-term.ts';
import { deleteTerm } from './delete-term.ts';
import { listTerms } from './list-terms.ts';

export const operations: readonly Operation[] = [listTerms, createTerm, changeTerm, deleteTerm];
