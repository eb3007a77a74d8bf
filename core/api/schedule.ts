import type { Logger } from 'pino';
import type { Token } from './provider.ts';

/** What a turn of a schedule is given. */
export interface ScheduleTools {
  readonly log: Logger;
  /** Aborts when the process stops, and when another one took the turn over: stop then, all is done later. */
  readonly signal: AbortSignal;
  get<T>(token: Token<T>): T;
  now(): Date;
}

/**
 * Work that comes back. It belongs to the installation: of all processes one does it, whichever comes first, and
 * never two at a time. What concerns sites is for the schedule itself to spread, best as jobs.
 */
export interface Schedule {
  /** `<module>.<name>`, unique. */
  readonly id: string;
  readonly title: string;
  /** From the end of one turn to the next, 1 to 86,400. A turn that was missed is not made up for. */
  readonly everySeconds: number;
  /** Does what is due now. May begin again after a crash; an error is logged, and the next turn comes in its time. */
  readonly run: (tools: ScheduleTools) => Promise<void>;
}

/** Declares periodic work of a module. */
export const defineSchedule = (schedule: Schedule): Schedule => schedule;
