import type { Operation } from '@lyceum/core';
import { changeMedia } from './change-media.ts';
import { createMedia } from './create-media.ts';
import { deleteMedia } from './delete-media.ts';
import { getMedia } from './get-media.ts';
import { listMedia } from './list-media.ts';

export const operations: readonly Operation[] = [listMedia, createMedia, getMedia, changeMedia, deleteMedia];
