/**
 * Whether an account may have this address: its domain, or one above it, is not banned, and it is among those that
 * may register, if there are such.
 */
export function isEmailDomainAllowed(
  email: string,
  banned: readonly string[],
  limited: readonly string[],
): boolean {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (banned.some((name) => domain === name || domain.endsWith(`.${name}`))) return false;
  return limited.length === 0 || limited.includes(domain);
}
