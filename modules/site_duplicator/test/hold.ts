import { Storage } from '@lyceum/core';
import type { TestHost } from '@lyceum/core/testing';

/** Stands between the host and its file storage: lets copies of files wait, or fail. */
export class StorageHold {
  readonly #waiting = new Set<() => void>();
  #arrived: (() => void)[] = [];
  #held = true;
  /** Thrown by the next copy, once. */
  failure: Error | null = null;
  /** Copies that came so far. */
  copies = 0;

  constructor(lyceum: TestHost) {
    const storage = lyceum.host.services.host(Storage);
    const copy = storage.copy.bind(storage);
    storage.copy = async (from, to) => {
      this.copies += 1;
      for (const wake of this.#arrived.splice(0)) wake();
      if (this.#held) await new Promise<void>((resolve) => this.#waiting.add(resolve));
      const { failure } = this;
      this.failure = null;
      if (failure) throw failure;
      await copy(from, to);
    };
  }

  /** Resolves when so many copies have come. */
  async arrival(many: number): Promise<void> {
    while (this.copies < many) await new Promise<void>((resolve) => this.#arrived.push(resolve));
  }

  /** Lets all go on, and those that come. */
  release(): void {
    this.#held = false;
    for (const go of this.#waiting) go();
    this.#waiting.clear();
  }

  /** Those that come from now on wait. */
  hold(): void {
    this.#held = true;
  }
}
