import { isPlainObject } from '../api/schema.ts';

/** What is wrong with an access: the field below it and the mend. */
type Fault = readonly [field: string, mend: string];

const keys = new Set(['id', 'title', 'in', 'refusals', 'errors', 'recognise']);
const secretId = /^[a-z][a-z0-9_]{1,40}\.[a-z0-9_-]+$/;
const headerName = /^x-[a-z0-9-]{1,60}$/;
const refusals: readonly string[] = ['missing', 'wrong', 'denied'];

const forms = ['public', 'signedIn', 'can', 'canAny', 'canAll', 'check', 'secret'];

/** Null for an access whose fields are right; the codes of a secret are looked up by whoever asks. */
export function accessFault(access: unknown, moduleId: string): Fault | null {
  if (!isPlainObject(access)) return ['', 'is missing; say who may use the operation.'];
  // A secret may ask for a capability besides.
  const given = forms.filter((key) => key in access && !(key === 'can' && 'secret' in access));
  if (given.length !== 1) return ['', `must have exactly one of ${forms.join(', ')}.`];
  if ('public' in access && typeof access.public !== 'string') return ['.public', 'must say why.'];
  if ('check' in access && typeof access.because !== 'string') return ['.because', 'must say who passes.'];
  if (!('secret' in access)) return null;
  if (access.can !== undefined && typeof access.can !== 'string') {
    return ['.can', 'must be the name of a capability.'];
  }
  const fault = secretFault(access.secret, moduleId);
  return fault && [`.secret${fault[0]}`, fault[1]];
}

function secretFault(secret: unknown, moduleId: string): Fault | null {
  if (!isPlainObject(secret))
    return ['', 'must be made by defineSecret({ id, title, in, refusals, recognise }).'];
  const unknown = Object.keys(secret).find((key) => !keys.has(key));
  if (unknown !== undefined) return [`.${unknown}`, 'is no key of a secret; remove it.'];
  const { id, title, recognise, errors } = secret;
  if (typeof id !== 'string' || !secretId.test(id) || !id.startsWith(`${moduleId}.`)) {
    return ['.id', `must look like "${moduleId}.name".`];
  }
  if (typeof title !== 'string' || title === '') return ['.title', 'must say what the secret is.'];
  if (!isPlace(secret.in))
    return ['.in', `must be "bearer" or { header } that matches ${headerName.source}.`];
  if (typeof recognise !== 'function') return ['.recognise', 'must be a function.'];
  if (errors !== undefined && !Array.isArray(errors)) return ['.errors', 'must be an array of codes.'];
  const said = isPlainObject(secret.refusals) ? Object.keys(secret.refusals) : [];
  const whole = said.length === refusals.length && refusals.every((key) => said.includes(key));
  return whole ? null : ['.refusals', `must have exactly ${refusals.join(', ')}.`];
}

/** A header of its own: another one means something already. */
function isPlace(place: unknown): boolean {
  if (place === 'bearer') return true;
  if (!isPlainObject(place) || Object.keys(place).join() !== 'header') return false;
  return typeof place.header === 'string' && headerName.test(place.header);
}
