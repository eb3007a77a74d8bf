import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import type { TestHost } from './test-host.ts';

export interface OutboxMail {
  /** As it stands in the file. */
  readonly raw: string;
  readonly mail: Email;
}

/** Milliseconds between looks into the folder. */
const lookMs = 10;

/** The mails in the outbox of a host without a mail server, oldest first. */
export async function outboxOf({ dataDir }: Pick<TestHost, 'dataDir'>): Promise<OutboxMail[]> {
  const folder = path.join(dataDir, 'outbox');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  return Promise.all(
    names.map(async (name) => {
      const raw = await readFile(path.join(folder, name), 'utf8');
      return { raw, mail: await PostalMime.parse(raw) };
    }),
  );
}

/** The mails to an address, when there are so many. */
export async function mailsTo(
  lyceum: Pick<TestHost, 'dataDir'>,
  address: string,
  many: number,
): Promise<OutboxMail[]> {
  for (;;) {
    const found = (await outboxOf(lyceum)).filter(({ mail }) =>
      mail.to?.some((to) => to.address === address),
    );
    if (found.length >= many) return found;
    await pause(lookMs);
  }
}

/** Resolves when no job is left to do. */
export async function jobsEnded({ host }: TestHost): Promise<void> {
  while (await host.db.knex('jobs').whereNull('completed_at').first('job_id')) await pause(lookMs);
}
