import { ApplicationPasswords } from '../auth/application-passwords.ts';
import { Memberships } from '../auth/membership-store.ts';
import { PasswordLogin } from '../auth/password-login.ts';
import { RateLimits } from '../auth/rate-limits.ts';
import { Sessions } from '../auth/sessions.ts';
import { SuperAdmins } from '../auth/super-admin-store.ts';
import { UserStore } from '../auth/user-store.ts';
import { Users } from '../auth/users.ts';
import type { HostParts } from './host-services.ts';

/** Offers what modules share about people: accounts, their standing, and how they prove who they are. */
export function offerPeople({ services, db, nonces }: HostParts): void {
  const limits = new RateLimits(db);
  const users = new UserStore();
  const sessions = new Sessions(nonces);
  const applicationPasswords = new ApplicationPasswords();
  services.offer(RateLimits, limits);
  services.offer(Sessions, sessions);
  services.offer(ApplicationPasswords, applicationPasswords);
  services.offer(PasswordLogin, new PasswordLogin(db, users, limits));
  services.offer(Users, new Users(users, sessions, applicationPasswords));
  services.offer(Memberships, new Memberships());
  services.offer(SuperAdmins, new SuperAdmins());
}
