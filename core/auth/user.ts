/** An account. Users belong to the installation, roles to sites, super admins to networks. */
export interface User {
  readonly id: number;
  readonly login: string;
  readonly email: string;
  readonly display_name: string;
  readonly nicename: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly locale: string;
  readonly registered: string;
}

/** A user with his standing at one place. */
export interface UserHere extends User {
  /** Role on the site; null without membership. */
  readonly role: string | null;
  /** Super admin of the network. */
  readonly super_admin: boolean;
}

/** Where somebody's standing is asked for. A Site is one. */
export interface Place {
  readonly blog_id: number;
  readonly network_id: number;
}

/** What a user may be called, besides his login. */
export interface UserNames {
  readonly display_name?: string | undefined;
  readonly first_name?: string | undefined;
  readonly last_name?: string | undefined;
  readonly locale?: string | undefined;
}

/** What an account is made of; login and e-mail are unique in the installation. */
export interface NewUser extends UserNames {
  readonly login: string;
  readonly email: string;
}

/** What an account may change: all but its login. */
export interface UserChanges extends UserNames {
  readonly email?: string | undefined;
}
