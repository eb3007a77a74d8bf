import type { FileHandle } from 'node:fs/promises';
import { RandomAccessReader } from 'yauzl';

/** Headers have some 100 bytes and stand together, or each before its data. */
const blockBytes = 16 * 1024;

/** Reads an archive's headers block by block: a directory of 10,000 entries is 40,000 small reads else. */
export class BlockReader extends RandomAccessReader {
  readonly #file: FileHandle;
  readonly #block = Buffer.alloc(blockBytes);
  #start = 0;
  #length = 0;

  constructor(file: FileHandle) {
    super();
    this.#file = file;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#read(buffer, offset, length, position).then(
      (bytesRead) => callback(null, bytesRead),
      (error: Error) => callback(error),
    );
  }

  async #read(buffer: Buffer, offset: number, length: number, position: number): Promise<number> {
    if (position < 0 || !Number.isSafeInteger(position)) throw new RangeError('A header lies nowhere.');
    if (length > blockBytes) return (await this.#file.read(buffer, offset, length, position)).bytesRead;
    if (position < this.#start || position + length > this.#start + this.#length) {
      this.#length = (await this.#file.read(this.#block, 0, blockBytes, position)).bytesRead;
      this.#start = position;
    }
    const from = position - this.#start;
    return this.#block.copy(buffer, offset, from, Math.min(from + length, this.#length));
  }

  /** The file belongs to whoever opened it. */
  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }
}
