import type { Call } from '../api/call.ts';

type Asked = Pick<Call, 'currentSite' | 'header'>;

/** Whether a page of this very host sent the request; null when no page did, as far as the request says. */
function sentByOwnPage(call: Asked): boolean | null {
  const origin = call.header('origin');
  if (origin === '') return null;
  if (origin === new URL(call.currentSite.url).origin) return true;
  // A browser writes both, and a page has no say in either: this is what it calls the same origin.
  const given = URL.parse(origin);
  return given !== null && given.host !== '' && given.host === call.header('host').toLowerCase();
}

/** True when a page of another origin sent the request. Programs name no origin and are no page. */
export const isForeignOrigin = (call: Asked): boolean => sentByOwnPage(call) === false;

/** True when the request says that a page of this host sent it: every browser says so of a form that it posts. */
export const isOwnOrigin = (call: Asked): boolean => sentByOwnPage(call) === true;
