import { hash, verify } from '@node-rs/argon2';

/** OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane; about 25 ms of one core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of no password, so that an unknown login costs the work of a known one. */
let noPassword: Promise<string> | null = null;

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** Whether the password fits; with null (nobody, or no password login) false after the same work. */
export async function passwordFits(stored: string | null, password: string): Promise<boolean> {
  // Made by whoever asks first, known or not: its own cost tells nothing.
  noPassword ??= hash('no password', cost);
  const substitute = await noPassword;
  const fits = await verify(stored ?? substitute, password);
  return fits && stored !== null;
}
