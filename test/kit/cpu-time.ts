const spentSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/** Milliseconds that the processor worked for this: unlike the clock they do not grow when other processes want it, too. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return spentSince(before);
}

/** The same of work that ends later; what else this process does meanwhile counts, too. */
export async function cpuMsUntil(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return spentSince(before);
}
