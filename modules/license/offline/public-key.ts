import { createPublicKey, type KeyObject } from 'node:crypto';

/** What stands before the 32 raw bytes in the SPKI DER of an Ed25519 key. */
const spkiHead = Buffer.from('302a300506032b6570032100', 'hex');
const rawForm = /^[0-9a-fA-F]{64}$/;
const derForm = /^[A-Za-z0-9+/]{59}=$/;

/** An Ed25519 public key, raw as 64 hex digits or base64 of SPKI DER; null for anything else. */
export function readPublicKey(text: string): KeyObject | null {
  const raw = rawForm.test(text);
  if (!raw && !derForm.test(text)) return null;
  const der = raw ? Buffer.concat([spkiHead, Buffer.from(text, 'hex')]) : Buffer.from(text, 'base64');
  if (!der.subarray(0, spkiHead.length).equals(spkiHead)) return null;
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
