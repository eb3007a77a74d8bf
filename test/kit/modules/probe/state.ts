/** What the probe's operations share with the test that loads them: both are in one process. */
class Gate {
  /** Calls that came to the gate. */
  arrived = 0;
  #open: () => void = () => undefined;
  #opened = Promise.resolve();
  #waiting: (() => void)[] = [];

  /** From now on whoever comes waits. */
  close(): void {
    this.arrived = 0;
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }

  /** Resolves when somebody waits at the gate. */
  async reached(): Promise<void> {
    if (this.arrived === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async pass(): Promise<void> {
    this.arrived += 1;
    for (const resolve of this.#waiting.splice(0)) resolve();
    await this.#opened;
  }
}

export const gate = new Gate();

/** How often the operation that counts has run, and what happened in others. */
export const counts = { acted: 0, aborted: 0 };

/** When set, the listener refuses the deletion of users. */
export const listener = { refuses: false, told: [] as number[] };
