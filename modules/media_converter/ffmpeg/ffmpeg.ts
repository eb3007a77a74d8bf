import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Commands } from '@lyceum/core';
import { type Format, formats } from '../formats.ts';

const run = promisify(execFile);

/** The ffmpeg of this machine. */
export class Ffmpeg {
  readonly #commands: Commands;
  #encoders: Promise<ReadonlySet<string>> | null = null;

  constructor(commands: Commands) {
    this.#commands = commands;
  }

  /** Absolute path. The module is on only where there is one. */
  get command(): string {
    const found = this.#commands.find('ffmpeg');
    if (found === null) throw new Error('There is no ffmpeg.');
    return found;
  }

  /** Names of its encoders, asked for once. */
  encoders(): Promise<ReadonlySet<string>> {
    this.#encoders ??= readEncoders(this.command).catch((error: unknown) => {
      this.#encoders = null;
      throw error;
    });
    return this.#encoders;
  }

  /** Keys of formats that it can make. */
  async available(): Promise<ReadonlySet<string>> {
    const encoders = await this.encoders();
    const can = ({ encoders: wanted }: Format): boolean =>
      wanted.every((alternatives) => alternatives.some((name) => encoders.has(name)));
    return new Set(formats.filter(can).map(({ key }) => key));
  }
}

async function readEncoders(command: string): Promise<ReadonlySet<string>> {
  const options = { env: {}, timeout: 30_000, maxBuffer: 4 * 1024 * 1024 };
  const { stdout } = await run(command, ['-hide_banner', '-v', 'quiet', '-encoders'], options);
  const names = stdout.split('\n').map((line) => /^ [VAS][F.][S.][X.][B.][D.] (\S+)/.exec(line)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}
