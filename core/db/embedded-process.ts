import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** The system user that a child process runs as. */
export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** How a child process ended; `code` is -1 when it could not be started, `output` is all that it wrote. */
export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/**
 * What every child gets, whoever it runs as. The environment is not inherited: `PGOPTIONS`, `PGPORT` or a
 * foreign locale would change what PostgreSQL does. `/` as folder, because the user may not see ours.
 */
export function childOptions(user: SystemUser | null) {
  const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  return { cwd: '/', env: environment, ...identity };
}

/** Runs a command to its end. Never rejects. */
export function run(
  command: string,
  args: readonly string[],
  options: { readonly user: SystemUser | null; readonly input: string },
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, childOptions(options.user));
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.stdin.on('error', () => undefined); // it ended without reading: its exit code tells
    child.on('error', (error) => resolve({ code: -1, output: error.message }));
    child.on('close', (code) => resolve({ code: code ?? -1, output }));
    child.stdin.end(options.input);
  });
}

/**
 * When the process with this id was born, as a word that no later process with the same id shares (boot and
 * clock tick of its start); null when there is none, or only its unburied remains (a zombie).
 */
export async function birthOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return birthByPs(pid);
  const [boot, stat] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null),
  ]);
  if (stat === null) return null;
  // The second field is the program's name and may hold spaces and brackets: count from its last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startTick] = [fields[0], fields[19]];
  return state === 'Z' || state === 'X' ? null : `${boot.slice(0, 8)}-${startTick}`;
}

async function birthByPs(pid: number): Promise<string | null> {
  const { code, output } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    user: null,
    input: '',
  });
  if (code !== 0 || output.trim().startsWith('Z')) return null;
  return output.trim().split(/\s+/).slice(1).join('-').replaceAll(':', '');
}

/** The arguments of a running process, its program first; empty when there is none. */
export async function commandLineOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return line.replaceAll('\0', ' ');
  }
  return (await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { user: null, input: '' })).output;
}

/** Sends a signal; false when there is no such process any more. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
