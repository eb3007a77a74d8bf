import { isPlainObject, type Outbound, type OutboundRequest, type SiteState } from '@lyceum/core';
import { problemOf } from './send-problem.ts';

/** What a platform said, as far as it can be read. */
export interface PlatformAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const timeoutMs = 10_000;

/** Posts to a platform. @throws SendProblem when no answer comes */
export async function callPlatform(
  outbound: Outbound,
  site: SiteState,
  request: Pick<OutboundRequest, 'url' | 'headers' | 'body'>,
): Promise<PlatformAnswer> {
  try {
    const answer = await outbound.request(site, { ...request, method: 'POST', timeoutMs });
    const text = answer.body.toString('utf8');
    return { status: answer.status, body: parsed(text), text };
  } catch (error) {
    throw problemOf(error);
  }
}

export const jsonBody = (body: object): Pick<OutboundRequest, 'headers' | 'body'> => ({
  headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
  body: JSON.stringify(body),
});

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return isPlainObject(body) ? body : {};
  } catch {
    return {};
  }
}
