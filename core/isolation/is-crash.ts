import { CodedError } from '../api/errors.ts';
import { codedFromSql } from '../db/sql-errors.ts';
import { FileTooLarge, StorageFull } from '../files/storage-errors.ts';

/** The coded error that stands for what was thrown; null for what nobody foresaw, `null` itself included. */
export function codedOf(error: unknown): CodedError | null {
  if (error instanceof CodedError) return error;
  if (error instanceof FileTooLarge) return new CodedError('rest_body_too_large', {});
  if (error instanceof StorageFull) return new CodedError('storage_unavailable', { cause: error });
  return codedFromSql(error);
}

/** True for an error that nobody foresaw: the fault of whose code threw it. */
export const isCrash = (error: unknown): boolean => codedOf(error) === null;
