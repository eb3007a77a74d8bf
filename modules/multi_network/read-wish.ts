import { fail, invalidParams, type NetworkWish, yup } from '@lyceum/core';
import { readDomain, readPath, segmentsOf } from './network-address.ts';
import { standardOptions } from './network-fields.ts';

const required = ['domain', 'path', 'site_name'] as const;

const mostOptions = 100;

const name = () => yup.string().max(200);

/** The types of the body. Its absent fields are answered by another code than elsewhere, so it is read here. */
const Body = yup.object({
  domain: yup.string().required(),
  path: yup.string().required(),
  site_name: name().required(),
  network_name: name().nullable(),
  user_id: yup.number().integer(),
  clone_network_id: yup.number().integer(),
  options_to_clone: yup.array().of(yup.string().max(100).defined()).max(mostOptions),
});

/** A wish whose form is right; whether it can be granted is not yet known. */
export interface ReadWish extends Omit<NetworkWish, 'clone_network_id' | 'user_id'> {
  /** Absent: the caller. */
  readonly user_id: number | undefined;
  /** Absent: the current network. */
  readonly clone_network_id: number | undefined;
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/**
 * Reads the body of a creation; the domain is empty where normalising leaves nothing of it.
 * @param isReserved whether no site may have this slug
 * @throws `missing_fields`; `rest_invalid_param`
 */
export function readWish(
  given: Readonly<Record<string, unknown>>,
  isReserved: (slug: string) => boolean,
): ReadWish {
  const missing = required.filter((field) => isBlank(given[field]));
  if (missing.length > 0) {
    const message = `Missing field(s): ${missing.join(', ')}`;
    fail('missing_fields', { message, data: { params: missing } });
  }
  const body = readBody(given);
  const domain = readDomain(body.domain);
  const path = readPath(body.path);
  const reserved = path !== null && segmentsOf(path).some(isReserved);
  const problems: Record<string, string> = {};
  if (domain === null) problems.domain = 'must be the name of a host, without port';
  if (path === null) problems.path = 'must be / or up to 3 segments of a-z, 0-9 and - between slashes';
  else if (reserved) problems.path = 'has a segment that is reserved';
  if (domain === null || path === null || reserved) return invalidParams(problems);
  const site_name = body.site_name.trim();
  return {
    domain,
    path,
    site_name,
    network_name: body.network_name?.trim() || site_name,
    user_id: body.user_id,
    clone_network_id: body.clone_network_id,
    options_to_clone: body.options_to_clone ?? standardOptions,
  };
}

function readBody(given: Readonly<Record<string, unknown>>): yup.InferType<typeof Body> {
  const { options_to_clone: options } = given;
  // Before yup looks at each of a million names.
  if (Array.isArray(options) && options.length > mostOptions) {
    invalidParams({ options_to_clone: `must have at most ${mostOptions} items` });
  }
  try {
    return Body.validateSync(given, { strict: true, abortEarly: false });
  } catch (error) {
    if (!(error instanceof yup.ValidationError)) throw error;
    return invalidParams(Object.fromEntries(error.inner.map(({ path, message }) => [path ?? '', message])));
  }
}
