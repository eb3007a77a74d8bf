import { CodedError } from '../api/errors.ts';
import { TransientFailure } from '../api/job.ts';
import { FileMissing, FileTooLarge, StorageFull } from '../files/storage-errors.ts';
import { DeclarationError } from '../registry/declaration-fault.ts';
import { legible } from './legible.ts';

/** What was thrown on one side of a line, in data that the other side makes the same of. */
export type Thrown =
  | {
      readonly kind: 'coded';
      readonly code: string;
      readonly data: Readonly<Record<string, unknown>>;
      readonly message: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'transient'; readonly message: string; readonly cause: Thrown | null }
  | {
      readonly kind: 'error';
      readonly name: string;
      readonly message: string;
      readonly stack: string | undefined;
      /** By these the host tells errors of the database apart. */
      readonly code: string | undefined;
      readonly constraint: string | undefined;
    }
  | { readonly kind: 'declaration'; readonly message: string }
  | { readonly kind: 'storage'; readonly name: string; readonly fact: unknown }
  | { readonly kind: 'value'; readonly text: string };

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Plain data of whatever a client was to be told; null when there is no telling it. */
function plain(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
  } catch {
    return null;
  }
}

export function writeThrown(thrown: unknown): Thrown {
  const error = legible(thrown);
  if (error instanceof CodedError) {
    const { code, ownMessage: message, headers } = error;
    const data = plain(error.data);
    if (!data) return writeThrown(new TypeError(`The data of the error ${code} is no JSON.`));
    return { kind: 'coded', code, data, message, headers };
  }
  if (error instanceof TransientFailure) {
    const cause = error.cause === undefined ? null : writeThrown(error.cause);
    return { kind: 'transient', message: error.message, cause };
  }
  if (error instanceof DeclarationError) return { kind: 'declaration', message: error.message };
  if (error instanceof FileTooLarge) return { kind: 'storage', name: 'FileTooLarge', fact: error.limit };
  if (error instanceof FileMissing) return { kind: 'storage', name: 'FileMissing', fact: error.key };
  if (error instanceof StorageFull) return { kind: 'storage', name: 'StorageFull', fact: error.message };
  if (!(error instanceof Error)) return { kind: 'value', text: String(error) };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const { name, message, stack } = error;
  return { kind: 'error', name, message, stack, code: textOf(code), constraint: textOf(constraint) };
}

export function readThrown(thrown: Thrown): Error {
  if (thrown.kind === 'coded') {
    const { code, data, message, headers } = thrown;
    return new CodedError(code, { data, headers, ...(message === undefined ? {} : { message }) });
  }
  if (thrown.kind === 'transient') {
    return new TransientFailure(
      thrown.message,
      thrown.cause ? { cause: readThrown(thrown.cause) } : undefined,
    );
  }
  if (thrown.kind === 'declaration') return new DeclarationError(thrown.message);
  if (thrown.kind === 'storage') return readStorageError(thrown.name, thrown.fact);
  if (thrown.kind === 'value') return new Error(`Threw ${thrown.text}.`);
  const { kind: _kind, message, ...facts } = thrown;
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.assign(new Error(message), Object.fromEntries(known));
}

/** Errors of the storage that modules tell apart by their class. */
function readStorageError(name: string, fact: unknown): Error {
  if (name === 'FileTooLarge') return new FileTooLarge(Number(fact));
  if (name === 'FileMissing') return new FileMissing(String(fact));
  return new StorageFull(fact);
}
