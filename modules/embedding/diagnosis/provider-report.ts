import type { SiteState } from '@lyceum/core';
import { Outbound, type Token } from '@lyceum/core';
import { Embedders } from '../embedders.ts';
import { builtin } from '../providers/builtin-embedder.ts';
import { EmbeddingError } from '../providers/embedder.ts';
import { isConfigured, type SiteWish } from '../site-wish.ts';

/** Milliseconds that a probe waits. */
const probeMs = 10_000;

/** What whoever makes the vectors says when he is asked for one. */
export interface ProviderReport {
  readonly kind: 'builtin' | 'openai';
  readonly model: string;
  /** Of the address, which is not shown as a whole: it may hold a key. */
  readonly host: string | null;
  readonly configured: boolean;
  /** Null where nobody was asked. */
  readonly reachable: boolean | null;
  readonly latency_ms: number | null;
  readonly dimensions: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface ProbeWish {
  readonly wish: SiteWish;
  readonly state: SiteState;
  readonly probe: boolean;
  readonly signal: AbortSignal;
}

export async function reportProvider(
  get: <T>(token: Token<T>) => T,
  { wish, state, probe, signal }: ProbeWish,
): Promise<ProviderReport> {
  const embedders = get(Embedders);
  const isInstalled = embedders.isInstalled(wish);
  const configured = isConfigured(wish) && isInstalled;
  const named = {
    kind: wish.provider,
    model: wish.provider === 'builtin' ? builtin.id : wish.model,
    host: wish.provider === 'builtin' ? null : (URL.parse(wish.url)?.host ?? null),
    configured,
  };
  const unasked = { ...named, reachable: null, latency_ms: null, dimensions: null };
  if (!isInstalled) {
    const error = { code: 'model_missing', message: 'The weights of the built-in model are not installed.' };
    return { ...unasked, reachable: probe ? false : null, error };
  }
  const problem = wish.provider === 'openai' && configured ? get(Outbound).problem(state, wish.url) : null;
  if (problem !== null && !probe) {
    return { ...unasked, error: { code: 'outbound_forbidden', message: `The address ${problem}.` } };
  }
  if (!configured || !probe) return { ...unasked, error: null };
  return { ...named, ...(await ask(embedders, wish, state, signal)) };
}

async function ask(
  embedders: Embedders,
  wish: SiteWish,
  state: SiteState,
  signal: AbortSignal,
): Promise<Pick<ProviderReport, 'reachable' | 'latency_ms' | 'dimensions' | 'error'>> {
  const began = performance.now();
  try {
    const [vector] = await embedders.of(wish, state).embed(['Is anybody there?'], signal, probeMs);
    const latency_ms = Math.round(performance.now() - began);
    return { reachable: true, latency_ms, dimensions: vector?.length ?? null, error: null };
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error;
    // Whoever answers is there, whatever he says.
    const reachable = error.problem !== 'unreachable' && error.problem !== 'model_missing';
    const latency_ms = reachable ? Math.round(performance.now() - began) : null;
    const { problem: code, message } = error;
    return {
      reachable: reachable && code !== 'rejected',
      latency_ms,
      dimensions: null,
      error: { code, message },
    };
  }
}
