/** Where a chunk stands on its way to a vector. */
export const chunkStatus = { pending: 0, active: 1, indexing: 2, error: -1 } as const;

export type ChunkStatus = (typeof chunkStatus)[keyof typeof chunkStatus];

/** The colour under which a status is shown. */
export function statusIcon(status: number): 'green' | 'blue' | 'red' | 'white' {
  if (status === chunkStatus.active) return 'green';
  if (status === chunkStatus.indexing) return 'blue';
  return status === chunkStatus.error ? 'red' : 'white';
}
