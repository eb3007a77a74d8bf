/** Milliseconds that the processor worked for this: unlike the clock they do not grow when other processes want it, too. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
