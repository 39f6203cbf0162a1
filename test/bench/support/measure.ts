/** Runs `calls` calls, at most `inFlight` at a time, and returns what one of them cost. */
export async function measure(
  call: (index: number) => Promise<unknown>,
  {
    calls,
    inFlight,
    first,
  }: { readonly calls: number; readonly inFlight: number; readonly first: number },
): Promise<{ readonly cpuMs: number; readonly wallMs: number }> {
  let next = first;
  const end = first + calls;
  const worker = async (): Promise<void> => {
    while (next < end) await call(next++);
  };
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: inFlight }, worker));
  return {
    cpuMs: cpuMsSince(cpu) / calls,
    wallMs: (performance.now() - startedAt) / calls,
  };
}

/** CPU time of this process since `process.cpuUsage()` gave `start`, user and system. */
export function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
