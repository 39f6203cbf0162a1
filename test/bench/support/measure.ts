/** Runs `calls` calls, at most `inFlight` concurrently, and returns the cost of one. */
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

/** This process's user and system CPU time since `process.cpuUsage()` returned `start`. */
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
