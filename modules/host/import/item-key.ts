import { createHash } from 'node:crypto';
import type { WxrItem } from './wxr-record.ts';

/** What an item is known by when it is imported again: type and id, of one without id what else tells it apart. */
export interface ItemKey {
  readonly kind: string;
  readonly old_id: string;
}

const idForm = /^[1-9]\d{0,18}$/;

export const isOldId = (text: string): boolean => idForm.test(text);

export function keyOf({ type, id, guid, title, date }: WxrItem): ItemKey {
  if (isOldId(id)) return { kind: type, old_id: id };
  const digest = createHash('sha256').update(JSON.stringify(guid === '' ? [title, date] : [guid]));
  return { kind: type, old_id: `#${digest.digest('hex')}` };
}
