import type { Operation } from '@lyceum/core';
import { changePost } from './change-post.ts';
import { createPost } from './create-post.ts';
import { removePost } from './delete-post.ts';
import { getPost } from './get-post.ts';
import { listPosts } from './list-posts.ts';

export const operations: readonly Operation[] = [listPosts, createPost, getPost, changePost, removePost];
