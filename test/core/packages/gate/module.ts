import { createHash, timingSafeEqual } from 'node:crypto';
import { defineModule, defineOperation, defineSecret, provedBy, yup } from '@lyceum/core';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What a machine calls with: the site's own secret, and nobody's user. */
const bell = defineSecret<{ readonly site: number }>({
  id: 'test_gate.bell',
  title: 'The secret of the site, from its settings.',
  in: { header: 'x-gate-bell' },
  refusals: { missing: 'rest_forbidden', wrong: 'rest_forbidden', denied: 'rest_forbidden' },
  recognise: async (secret, call) => {
    // Not set yet, it is null.
    const own = call.setting<string | null>('secret');
    const holds = own !== null && timingSafeEqual(sha256(secret), sha256(own));
    return holds ? { userId: null, proof: { site: call.site.blog_id } } : null;
  },
});

/** `user <id>`; `broken` throws what nobody foresaw. */
const pass = defineSecret<string>({
  id: 'test_gate.pass',
  title: 'A pass that names its user.',
  in: 'bearer',
  refusals: { missing: 'gate_missing', wrong: 'gate_wrong', denied: 'gate_denied' },
  errors: ['gate_late'],
  recognise: async (secret, _call, path) => {
    if (secret === 'broken') throw new Error('No such luck.');
    const [word, id] = secret.split('-');
    return word === 'user' ? { userId: Number(id), proof: path.door ?? '' } : null;
  },
});

const Who = yup.object({
  user: yup.number().integer().nullable().defined(),
  kind: yup.string().required(),
  proof: yup.string().defined(),
});

export default defineModule({
  id: 'test_gate',
  title: 'Gate',
  namespaces: ['test/gate/v1'],
  defaultEnabled: true,
  settings: {
    secret: { schema: yup.string().min(10).nullable(), default: null, scope: 'site', secret: true },
  },
  errors: {
    gate_missing: { status: 401, message: 'No pass.' },
    gate_wrong: { status: 401, message: 'A wrong pass.' },
    gate_denied: { status: 403, message: 'Not with this pass.' },
    gate_late: { status: 403, message: 'The pass is over.' },
    gate_bad: { status: 422, message: 'Ring properly.' },
  },
  operations: [
    defineOperation({
      id: 'test_gate.ring',
      method: 'POST',
      path: 'test/gate/v1/ring',
      access: { secret: bell },
      input: { body: yup.object({ times: yup.number().integer().min(1).required() }) },
      badInput: 'gate_bad',
      output: Who,
      handle: (_input, call) => ({
        user: call.user?.id ?? null,
        kind: call.credential.kind,
        proof: String(provedBy(call, bell).site),
      }),
    }),
    defineOperation({
      id: 'test_gate.enter',
      method: 'GET',
      path: 'test/gate/v1/doors/{door}',
      access: { secret: pass, can: 'edit_pages' },
      site: 'selectable',
      output: Who,
      handle: (_input, call) => ({
        user: call.user?.id ?? null,
        kind: call.credential.kind,
        proof: provedBy(call, pass),
      }),
    }),
  ],
});
