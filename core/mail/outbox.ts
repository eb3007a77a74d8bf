import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/** A folder that takes mails in place of a server: one `.eml` file each, whole or not there. */
export class Outbox {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Keeps the mail (RFC 5322); names sort by time. Readable by the host's user alone: mails carry one-time links. */
  async keep(mail: Buffer): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const name = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID()}`;
    const unfinished = path.join(this.#folder, `.${name}`);
    try {
      const file = await open(unfinished, 'wx', 0o600);
      try {
        await file.writeFile(mail);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path.join(this.#folder, `${name}.eml`));
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw error;
    }
  }
}
