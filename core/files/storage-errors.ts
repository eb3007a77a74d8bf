/** The key is not one the host would make: see `checkKey`. A fault of the caller, never of a client. */
export class InvalidKey extends Error {
  constructor(reason: string) {
    super(`Invalid file key: ${reason}.`);
    this.name = 'InvalidKey';
  }
}

/** More bytes arrived than the write allows. `limit` in bytes. Nothing was stored. */
export class FileTooLarge extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super(`The file is larger than ${limit} bytes.`);
    this.name = 'FileTooLarge';
    this.limit = limit;
  }
}

/** The disk, the quota or the bucket takes no more. Nothing was stored; the next write may work again. */
export class StorageFull extends Error {
  constructor(cause: unknown) {
    super('The file storage is full.', { cause });
    this.name = 'StorageFull';
  }
}

/** `copy` found no file under this key. `read` and `stat` answer null instead. */
export class FileMissing extends Error {
  readonly key: string;

  constructor(key: string) {
    super('The file does not exist in the storage.');
    this.name = 'FileMissing';
    this.key = key;
  }
}

/** `take` was given a file of another size or another content than was said of it. Nothing was stored. */
export class NotAsSaid extends Error {
  constructor(key: string) {
    super(`The file for ${key} is not what it is said to be.`);
    this.name = 'NotAsSaid';
  }
}
