import { cpuMsSince } from "./measure.ts";

/** Time that is spent in some of what a process does. */
export interface Stopwatch {
  readonly wallMs: number;
  /** User and system time; wall time includes other processes. */
  readonly cpuMs: number;
  /** Runs `work` and adds what it takes. */
  time<TResult>(work: () => TResult): TResult;
}

export function stopwatch(): Stopwatch {
  let [wallMs, cpuMs] = [0, 0];
  return {
    get wallMs() {
      return wallMs;
    },
    get cpuMs() {
      return cpuMs;
    },
    time: (work) => {
      const startedAt = performance.now();
      const cpu = process.cpuUsage();
      const result = work();
      cpuMs += cpuMsSince(cpu);
      wallMs += performance.now() - startedAt;
      return result;
    },
  };
}
