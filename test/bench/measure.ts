import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import type { Usage } from './usage.ts';

export interface Contender {
  readonly name: string;
  readonly origin: string;
  readonly child: ChildProcess;
}

/** Starts a server of this folder in a process of its own; it says its port. */
export async function contender(
  name: string,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<Contender> {
  const child = fork(path.join(import.meta.dirname, file), { env: { ...process.env, ...environment } });
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended before it listened.`))),
  ])) as [{ port: number }];
  return { name, origin: `http://127.0.0.1:${message.port}`, child };
}

export interface Load {
  readonly path: string;
  readonly headers: Record<string, string>;
}

const connections = 16;

export interface Measured {
  readonly perSecond: number;
  /** Processor time of the server's process for one request: what else the machine does counts less here. */
  readonly cpuMicros: number;
}

export async function usageOf({ child }: Contender): Promise<Usage> {
  const answered = once(child, 'message');
  child.send('usage');
  const [usage] = (await answered) as [Usage];
  return usage;
}

/** What a request costs, over some seconds of many; throws when an answer was not 2xx. */
export async function measure(to: Contender, load: Load, seconds: number): Promise<Measured> {
  const before = await usageOf(to);
  const result = await autocannon({
    url: `${to.origin}${load.path}`,
    connections,
    duration: seconds,
    headers: load.headers,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${to.name} ${load.path}: ${result.non2xx} wrong answers, ${result.errors} errors.`);
  }
  const after = await usageOf(to);
  const { total } = result.requests;
  return { perSecond: total / result.duration, cpuMicros: (after.cpuMicros - before.cpuMicros) / total };
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** The value that this share of the values does not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

/** The best of several rounds, where low or high is good. */
export const best = (values: readonly number[], good: 'low' | 'high'): number =>
  good === 'low' ? Math.min(...values) : Math.max(...values);

/** Bytes that the kernel counts for a process: now, or at the most so far. Linux only. */
export async function memoryOf(pid: number, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
}

/** How busy the machine was in the last minute: figures of a busy one say little. */
export const loadAverage = (): string => `load ${(loadavg()[0] ?? 0).toFixed(1)}`;
