import type { Access, Call } from '@lyceum/core';

/** Administrators of the network, or of the site. */
export const administrators: Access = { canAny: ['manage_network_options', 'manage_options'] };

/** Whether the caller may change what holds for the whole network; where there is one site its administrator may. */
export const mayChangeNetwork = (call: Call): boolean =>
  call.can(call.single ? 'manage_options' : 'manage_network_options');
