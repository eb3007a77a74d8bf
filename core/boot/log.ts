import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { LogLevel } from '../../config/load.ts';

/** Nothing of a request but these fields is ever logged: headers and bodies hold secrets. */
const serializers = { err: pino.stdSerializers.err };

/** JSON lines on standard output; readable lines on a terminal. */
export function createLog(level: LogLevel): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers };
  if (process.stdout.isTTY) return pino(options, pretty({ colorize: true, sync: true, ignore: 'time' }));
  return pino(options, pino.destination({ dest: 1, sync: true }));
}
