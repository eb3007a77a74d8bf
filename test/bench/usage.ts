/** What a server of the benchmark tells of itself when it is asked. */
export interface Usage {
  /** Microseconds of processor time that the whole process has spent, the system's work for it included. */
  readonly cpuMicros: number;
}

/** Answers `usage` over the channel to the process that started this one. */
export function tellUsage(): void {
  process.on('message', (question) => {
    if (question !== 'usage') return;
    const { user, system } = process.cpuUsage();
    const usage: Usage = { cpuMicros: user + system };
    process.send?.(usage);
  });
}
