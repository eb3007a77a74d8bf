import { Storage } from '@lyceum/core';
import type { TestHost } from '@lyceum/core/testing';

type Before = (key: string) => Promise<unknown>;

/** Stands between a host and its file storage: something happens before files are written, read or removed. */
export class StorageGate {
  beforeWrite: Before = async () => undefined;
  beforeRead: Before = async () => undefined;
  beforeRemove: Before = async () => undefined;

  constructor(lyceum: TestHost) {
    const storage = lyceum.host.services.host(Storage);
    const [write, take, read, stat, remove] = [
      storage.write.bind(storage),
      storage.take.bind(storage),
      storage.read.bind(storage),
      storage.stat.bind(storage),
      storage.remove.bind(storage),
    ];
    storage.write = async (key, ...rest) => {
      await this.beforeWrite(key);
      return write(key, ...rest);
    };
    storage.take = async (key, ...rest) => {
      await this.beforeWrite(key);
      return take(key, ...rest);
    };
    storage.read = async (key, ...rest) => {
      await this.beforeRead(key);
      return read(key, ...rest);
    };
    storage.stat = async (key) => {
      await this.beforeRead(key);
      return stat(key);
    };
    storage.remove = async (key) => {
      await this.beforeRemove(key);
      return remove(key);
    };
  }
}

/** Does something the first time only. */
export function once(work: () => Promise<unknown>): Before {
  let done = false;
  return async () => {
    if (done) return;
    done = true;
    await work();
  };
}
