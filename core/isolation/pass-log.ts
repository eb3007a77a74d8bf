import type { Logger } from 'pino';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** Writes a line of a worker's log into the host's, under its level. */
export function passLog(log: Logger, line: string): void {
  const { level, msg, time: _time, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const name = levels[Math.floor(Number(level) / 10) - 1] ?? 'info';
  log[name](fields, typeof msg === 'string' ? msg : '');
}
