import { CodedError } from '../api/errors.ts';

interface DriverError {
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly message?: unknown;
}

function sqlState(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  const code = (error as DriverError).code;
  return typeof code === 'string' ? code : null;
}

/** True when a unique index refused the write; with a name, that index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false;
  return constraint === undefined || (error as DriverError).constraint === constraint;
}

/** True when a foreign key refused the write: what it names was removed meanwhile. */
export const isForeignKeyViolation = (error: unknown): boolean => sqlState(error) === '23503';

const lostConnection = /^(08|57P)/;
const lostSocket = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);
const lostMessage =
  /Connection terminated|connection timeout|timeout expired|Timeout acquiring a connection|Client has encountered a connection error|Unable to acquire/i;

/** True when the database could not be reached or ended the connection: trying again later is right. */
export function isDatabaseDown(error: unknown): boolean {
  const code = sqlState(error);
  if (code !== null && (lostConnection.test(code) || lostSocket.has(code) || code === '53300')) return true;
  return error instanceof Error && lostMessage.test(error.message);
}

/** Another transaction was in the way, or the wait for it was too long. */
const inTheWay = new Set(['40001', '40P01', '55P03']);

/** True for a failure that is nobody's fault: the same work may pass when it is done again. */
export const mayPass = (error: unknown): boolean =>
  isDatabaseDown(error) || inTheWay.has(sqlState(error) ?? '');

/** The coded error that stands for an error of the database, or null when it is a fault of ours. */
export function codedFromSql(error: unknown): CodedError | null {
  if (mayPass(error)) {
    return new CodedError('database_unavailable', { headers: { 'Retry-After': '1' }, cause: error });
  }
  const code = sqlState(error);
  if (code === '23505') return new CodedError('rest_conflict', { cause: error });
  if (code?.startsWith('22')) return new CodedError('rest_invalid_param', { cause: error });
  return null;
}
