import { type Call, ErrorMapper } from '@lyceum/core';
import type { Copy } from './target-copies.ts';

/** A wanted copy that was not made. */
export interface FailedCopy {
  readonly blog_id: number;
  /** Which of the copies for its site, from 1. */
  readonly index: number;
  readonly code: string;
  readonly message: string;
}

/** What became of each copy of a batch. */
export class BatchResult {
  readonly #call: Call;
  readonly succeeded: Copy[] = [];
  readonly failed: FailedCopy[] = [];

  constructor(call: Call) {
    this.#call = call;
  }

  /** Notes why a copy was not made; what nobody foresaw, or the end of the request, ends all of them. */
  refuse(blog_id: number, index: number, error: unknown): void {
    this.#call.signal.throwIfAborted();
    const described = this.#call.get(ErrorMapper).describe(error);
    if (!described) throw error;
    this.failed.push({ blog_id, index, ...described });
  }
}
