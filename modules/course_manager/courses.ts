import type { Call } from '@lyceum/core';
import type { Courses } from '@lyceum/module/lms';

/**
 * The courses of the call's site; null while the module lms is off there. It need not be installed, so its code is
 * asked for here and not when this module is loaded.
 */
export async function coursesOf(call: Call): Promise<Courses | null> {
  if (!call.state.isOn('lms')) return null;
  const lms = await import('@lyceum/module/lms');
  return call.get(lms.Courses);
}
