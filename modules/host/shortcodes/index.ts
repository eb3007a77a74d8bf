import { ifRole } from './if-role.ts';
import { site } from './site.ts';
import { user } from './user.ts';

export const shortcodes = [user, ifRole, site];
