import { isPlainObject } from '../api/schema.ts';
import { artifactsSegment } from '../artifacts/artifact-place.ts';

/** What is wrong with a part of a declaration: the field below it and the mend. */
type Fault = readonly [field: string, mend: string];

const lanes: readonly unknown[] = ['quick', 'long', 'mail', 'calls'];
const areaFolder = /^[a-z][a-z-]{1,40}$/;
const pagePath = /^[a-z0-9-]{1,63}(\/[a-z0-9-]{1,63}){0,3}$/;

const startsWrong = (id: unknown, moduleId: string): boolean => !String(id).startsWith(`${moduleId}.`);

const isText = (value: unknown): boolean => typeof value === 'string';

const isPause = (seconds: unknown): boolean =>
  typeof seconds === 'number' && seconds >= 0 && seconds <= 86_400;

/** Null for a job whose fields are right. */
export function jobFault(job: Readonly<Record<string, unknown>>, moduleId: string): Fault | null {
  const { id, lane, retryAfterSeconds } = job;
  if (startsWrong(id, moduleId)) return ['', `must begin with "${moduleId}.".`];
  if (lane !== undefined && !lanes.includes(lane))
    return ['.lane', 'must be "quick", "long", "mail" or "calls".'];
  if (retryAfterSeconds === undefined) return null;
  const fits = Array.isArray(retryAfterSeconds) && retryAfterSeconds.every(isPause);
  return fits ? null : ['.retryAfterSeconds', 'must be an array of numbers from 0 to 86,400.'];
}

/** Null for a page whose fields are right. */
export function pageFault(page: Readonly<Record<string, unknown>>, moduleId: string): Fault | null {
  const { id, path } = page;
  if (startsWrong(id, moduleId)) return ['', `must begin with "${moduleId}.".`];
  const fits = typeof path === 'string' && pagePath.test(path);
  return fits ? null : ['.path', `must match ${pagePath.source}.`];
}

/** Null for an area whose fields are right. */
export function areaFault(area: Readonly<Record<string, unknown>>, moduleId: string): Fault | null {
  const { id, folder, crossOrigin, headers } = area;
  if (startsWrong(id, moduleId)) return ['', `must begin with "${moduleId}.".`];
  if (typeof folder !== 'string' || !areaFolder.test(folder) || folder === artifactsSegment) {
    return ['.folder', `must match ${areaFolder.source} and not be "${artifactsSegment}".`];
  }
  if (typeof crossOrigin !== 'boolean') return ['.crossOrigin', 'must be true or false.'];
  const fits = headers === undefined || (isPlainObject(headers) && Object.values(headers).every(isText));
  return fits ? null : ['.headers', 'must be an object of texts.'];
}

/** Null for an addition to pages whose fields are right. */
export function additionFault({ id }: Readonly<Record<string, unknown>>, moduleId: string): Fault | null {
  return startsWrong(id, moduleId) ? ['', `must begin with "${moduleId}.".`] : null;
}

/** Null for a schedule whose fields are right. */
export function scheduleFault(schedule: Readonly<Record<string, unknown>>, moduleId: string): Fault | null {
  const { id, everySeconds } = schedule;
  if (startsWrong(id, moduleId)) return ['', `must begin with "${moduleId}.".`];
  const fits = typeof everySeconds === 'number' && everySeconds >= 1 && everySeconds <= 86_400;
  return fits ? null : ['.everySeconds', 'must be from 1 to 86,400.'];
}
