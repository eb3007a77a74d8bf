import { jsonSchemaOf } from '../../core/http/json-schema.ts';
import type { CompiledOperation } from '../../core/http/route-table.ts';

export interface Asked {
  readonly method: string;
  /** Path and query below the API root. */
  readonly route: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** undefined when the text is no JSON. */
  readonly json: { readonly code?: unknown; readonly data?: unknown } | undefined;
}

/** Milliseconds after which a request counts as hanging; time limits of operations are far longer. */
const patienceMs = 10_000;

/** One request to the main site's API, over kept connections: the contract tests send thousands. */
export async function ask(origin: string, { method, route, headers, body }: Asked): Promise<Answered> {
  const response = await fetch(`${origin}/api/${route}`, {
    method,
    headers: headers ?? {},
    body: body ?? null,
    redirect: 'manual',
    signal: AbortSignal.timeout(patienceMs),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parsed(text) };
}

function parsed(text: string): Answered['json'] {
  try {
    return JSON.parse(text) as Answered['json'];
  } catch {
    return undefined;
  }
}

/** Ids that no test makes: a request for them does nothing. */
export const nowhere = { integer: '2147483000', text: '00000000-0000-4000-8000-000000000000' } as const;

/** The operation's path with ids of nothing in it. */
export function pathToNothing({ operation }: CompiledOperation): string {
  const { properties } = (operation.input?.params ? jsonSchemaOf(operation.input.params) : {}) as {
    properties?: Record<string, { type?: unknown }>;
  };
  return operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    properties?.[name]?.type === 'integer' ? nowhere.integer : nowhere.text,
  );
}
