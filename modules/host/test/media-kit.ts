import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Storage } from '@lyceum/core';
import type { TestHost } from '@lyceum/core/testing';

export const mediaRoute = 'svc/host/v1/media';

/** Keys of everything in the storage. */
export async function storedKeys(lyceum: TestHost): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of lyceum.host.services.host(Storage).list('')) keys.push(key);
  return keys.sort();
}

/** Names of files that are half received or half stored. */
export async function unfinished(lyceum: TestHost): Promise<string[]> {
  const folders = [path.join(lyceum.dataDir, 'uploads'), path.join(lyceum.dataDir, 'files', '.tmp')];
  const found = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return found.flat();
}

/** How many attachments there are, by both tables. */
export async function rows(lyceum: TestHost): Promise<{ posts: number; attachments: number }> {
  const { knex } = lyceum.host.db;
  const [posts] = await knex('posts').where('type', 'attachment').count({ n: '*' });
  const [attachments] = await knex('attachments').count({ n: '*' });
  return { posts: Number(posts?.n), attachments: Number(attachments?.n) };
}
