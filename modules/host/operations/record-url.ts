import { Addresses, type Call } from '@lyceum/core';

/** Absolute URL of a route on the call's site. */
export const recordUrl = (call: Call, route: string): string => call.get(Addresses).route(call.site, route);
