import type { Logger } from 'pino';

/** What must be stopped, in reverse order of its start; one that fails does not keep the others from it. */
export class StopList {
  readonly #steps: { readonly name: string; readonly stop: () => Promise<void> | void }[] = [];

  add(name: string, stop: () => Promise<void> | void): void {
    this.#steps.push({ name, stop });
  }

  async run(log: Logger): Promise<void> {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step.stop();
      } catch (error) {
        log.error({ err: error, step: step.name }, 'stop failed');
      }
    }
  }
}
