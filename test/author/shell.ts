import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ShellPlace {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** One shell, as of a reader who types block after block: what one block sets the next one has. */
export class Shell {
  readonly #child: ChildProcess;
  readonly #place: ShellPlace;
  readonly #background: ChildProcess[] = [];
  #printed = '';
  #blocks = 0;

  constructor(place: ShellPlace) {
    this.#place = place;
    this.#child = spawn('bash', ['-s'], { ...place, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#printed += text;
      });
    }
  }

  /** Runs a block; resolves with all that it printed. */
  async run(block: string): Promise<string> {
    this.#blocks += 1;
    const end = `end of block ${this.#blocks}`;
    this.#printed = '';
    this.#child.stdin?.write(`${block}\nprintf '\\n%s\\n' '${end}'\n`);
    while (!this.#printed.includes(end)) await once(this.#child.stdout ?? this.#child, 'data');
    return this.#printed.slice(0, this.#printed.indexOf(end)).trim();
  }

  /** Starts a block that goes on; resolves when it prints the word. */
  async start(block: string, word: string): Promise<void> {
    const child = spawn('bash', ['-c', block], {
      ...this.#place,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    this.#background.push(child);
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    while (!printed.includes(word)) {
      const ended = once(child, 'exit').then(() =>
        Promise.reject(new Error(`It ended before it was "${word}".`)),
      );
      await Promise.race([once(child.stdout ?? child, 'data'), ended]);
    }
  }

  /** Ends the shell and, as Ctrl-C in its terminal would, what goes on in the background. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    for (const child of this.#background) {
      if (child.exitCode !== null || child.pid === undefined) continue;
      const gone = once(child, 'close');
      process.kill(-child.pid, 'SIGTERM');
      await gone;
    }
  }
}
