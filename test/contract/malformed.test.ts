import { expect } from 'chai';
import fc from 'fast-check';
import type { CompiledOperation } from '../../core/http/route-table.ts';
import { errorRows } from '../../core/registry/declared-errors.ts';
import type { TestHost } from '../kit/index.ts';
import { type Answered, type Asked, ask } from './ask.ts';
import { startWithEverythingOn, switchEverythingOn } from './everything-on.ts';
import { malformedRequests } from './malformed.ts';

/** Over all operations together; a longer run: `MALFORMED_REQUESTS=100000 npm run mocha -- …`. */
const requests = Number(process.env.MALFORMED_REQUESTS ?? 12_000);
const seed = Number(process.env.MALFORMED_SEED ?? 20_260_101);
/** Sent at once: enough to keep the process busy, and to meet what only parallel requests meet. */
const atOnce = 16;

/** Of the contract's own 5xx none is one of these: they are faults. */
const faults = new Set(['internal_error', 'module_timeout', 'database_unavailable', 'storage_unavailable']);

/** What must not be in an error: places in the source, statements, the driver's words. */
const leak = /\.[jt]s:\d+|node_modules|\bsyntax error at\b|\brelation "|\bviolates \w+|\bselect .* from\b/i;

/** Operations whose contract gives one failure a body of its own. */
const ownBodies: Readonly<Record<string, readonly string[]>> = {
  'rag.get-chunk': ['{"message":"Not found"}', '{}'],
};

describe('malformed requests', function () {
  this.timeout(180_000);
  let lyceum: TestHost;

  before(async () => {
    lyceum = await startWithEverythingOn();
  });
  after(() => lyceum.stop());

  /** What is wrong with an answer; null when nothing is. */
  function fault({ status, headers, text, json }: Answered, { operation }: CompiledOperation): string | null {
    const isError = status >= 400 && !ownBodies[operation.id]?.includes(text);
    if (isError && typeof json?.code !== 'string' && operation.method !== 'OPTIONS')
      return 'no JSON error body';
    if (isError && leak.test(text)) return 'tells of its inside';
    if (headers.get('x-request-id') === null) return 'no request id';
    if (status < 500) return null;
    const code = String(json?.code);
    const row = errorRows(lyceum.host.modules).get(code);
    const ordered = !faults.has(code) && (operation.errors ?? []).includes(code);
    return ordered && (row?.status ?? 500) === status ? null : `unordered ${status} ${code}`;
  }

  async function sent(
    request: Asked,
    compiled: CompiledOperation,
    own: Asked['headers'],
  ): Promise<string | null> {
    const headers = { ...own, ...request.headers };
    const shown = `${request.method} ${request.route.slice(0, 120)} ${String(request.body ?? '').slice(0, 160)}`;
    try {
      const wrong = fault(await ask(lyceum.origin, { ...request, headers }), compiled);
      return wrong && `${wrong}: ${shown}`;
    } catch (error) {
      return `${(error as Error).name} ${String((error as Error).cause ?? '')}: ${shown}`;
    }
  }

  it('are all answered: no failure but those that are declared, every error in JSON, none hangs', async () => {
    const { operations } = lyceum.host.routes;
    const each = Math.ceil(requests / Math.max(operations.length, 1));
    const wrong: string[] = [];
    for (const [at, compiled] of operations.entries()) {
      // What the last operation's requests did to accounts and switches is undone before the next one's.
      await switchEverythingOn(lyceum);
      const { headers } = await lyceum.make.user({ superAdminOf: 1 });
      const batch = fc.sample(malformedRequests(compiled), { numRuns: each, seed: seed + at });
      for (let next = 0; next < batch.length; next += atOnce) {
        const answers = batch.slice(next, next + atOnce).map((request) => sent(request, compiled, headers));
        wrong.push(...(await Promise.all(answers)).filter((found) => found !== null));
      }
    }
    expect(wrong.slice(0, 40), `${wrong.length} of ${each * operations.length}`).to.deep.equal([]);
  });
});
