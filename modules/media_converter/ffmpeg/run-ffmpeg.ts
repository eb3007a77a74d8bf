import { type ChildProcess, spawn } from 'node:child_process';

/** Kilobytes of address space that ffmpeg gets: what hostile files may make it use. */
const addressSpaceKb = 1_048_576;

const patienceMs = 5_000;
const askAgainMs = 300;
const maxLine = 10_000;

/**
 * A fixed script, its words given as arguments: nothing of a request is ever read by the shell. It limits the memory,
 * and ends ffmpeg when the pipe behind it closes, as it does when this process is killed: Node cannot ask the kernel
 * for that. A request to end is passed on by the process group; the script itself waits for ffmpeg.
 */
const guard = `
ulimit -v "$1" && ulimit -c 0 || exit 125
shift
exec 3<&0 </dev/null
trap : TERM
"$@" 3<&- &
child=$!
( exec >/dev/null 2>&1; read -r _ <&3; kill -9 "$child" ) &
watcher=$!
exec 3<&-
wait "$child"; code=$?
while kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done
kill -9 "$watcher" 2>/dev/null
exit "$code"
`;

/** Where the running ffmpeg is. */
export interface Progress {
  /** Seconds of the result that are written. */
  readonly seconds: number;
  /** Times real time; null before it is known. */
  readonly speed: number | null;
}

export interface FfmpegRun {
  /** Absolute path of ffmpeg. */
  readonly command: string;
  readonly args: readonly string[];
  /** Where it runs; relative names in the arguments are below it. */
  readonly folder: string;
  readonly timeLimitMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export type FfmpegEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly line: string }
  | { readonly kind: 'late' };

/** Arguments that every ffmpeg is given first. Its progress comes on standard output. */
export const commonArguments = [
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'error'],
  ...['-progress', 'pipe:1', '-stats_period', '0.5'],
] as const;

/**
 * Runs ffmpeg to its end: without a shell's reading, without standard input, without our environment. When the signal
 * aborts it gets SIGTERM, and SIGKILL after 5 s.
 * @throws the reason of the signal, once ffmpeg is gone
 */
export async function runFfmpeg(run: FfmpegRun): Promise<FfmpegEnd> {
  run.signal.throwIfAborted();
  const child = spawn(
    '/bin/sh',
    ['-c', guard, 'lyceum-ffmpeg', String(addressSpaceKb), run.command, ...run.args],
    {
      cwd: run.folder,
      // Many arenas of malloc would reserve address space that nobody uses.
      env: { MALLOC_ARENA_MAX: '2', LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    },
  );
  let isLate = false;
  const end = (): void => endGroup(child);
  const limit = setTimeout(() => {
    isLate = true;
    end();
  }, run.timeLimitMs);
  run.signal.addEventListener('abort', end, { once: true });
  const complaints = new Lines();
  const output = new ProgressReader(run.onProgress);
  child.stdin?.on('error', () => undefined);
  child.stdout?.on('data', (piece: Buffer) => output.take(piece));
  child.stderr?.on('data', (piece: Buffer) => complaints.take(piece.toString('utf8')));
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    run.signal.throwIfAborted();
    if (isLate) return { kind: 'late' };
    return code === 0 ? { kind: 'done' } : { kind: 'failed', line: complaints.last };
  } finally {
    clearTimeout(limit);
    run.signal.removeEventListener('abort', end);
  }
}

/**
 * SIGTERM to the script and ffmpeg; SIGKILL to whoever is left. Without standard input ffmpeg 7 looks at the first
 * SIGTERM only when it next waits for input, and ends at once at the fourth.
 */
function endGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  signalGroup(pid, 'SIGTERM');
  const again = setInterval(() => signalGroup(pid, 'SIGTERM'), askAgainMs);
  const force = setTimeout(() => signalGroup(pid, 'SIGKILL'), patienceMs);
  child.once('close', () => {
    clearInterval(again);
    clearTimeout(force);
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It is gone already.
  }
}

/** The last line of what was said, however long it is. */
class Lines {
  #text = '';

  take(piece: string): void {
    this.#text = (this.#text + piece).slice(-maxLine);
  }

  get last(): string {
    return this.#text.trim().split('\n').at(-1)?.trim() ?? '';
  }
}

/** Reads `key=value` lines; each group of them ends with `progress=`. */
class ProgressReader {
  readonly #tell: (progress: Progress) => void;
  #rest = '';
  #seconds = 0;
  #speed: number | null = null;

  constructor(tell: (progress: Progress) => void) {
    this.#tell = tell;
  }

  take(piece: Buffer): void {
    const lines = (this.#rest + piece.toString('latin1')).split('\n');
    this.#rest = (lines.pop() ?? '').slice(-maxLine);
    for (const line of lines) this.#read(line);
  }

  #read(line: string): void {
    const equals = line.indexOf('=');
    const [key, value] = [line.slice(0, equals), line.slice(equals + 1).trim()];
    if (key === 'out_time_us' && Number(value) > 0) this.#seconds = Number(value) / 1e6;
    if (key === 'speed') this.#speed = Number.parseFloat(value) || null;
    if (key === 'progress') this.#tell({ seconds: this.#seconds, speed: this.#speed });
  }
}
