import type { ErrorCode } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";

/** Whether one replica is to be given work. */
export interface ReplicaHealth {
  /** Asks for a health check, aside, where one is due. */
  isUp(): boolean;
  succeeded(): void;
  failed(code: ErrorCode): void;
}

/**
 * Out at once when it cannot be reached or stalls, and after three other failures in a row; asked
 * to slow down, it stays. Without timers: a pause that is over is noticed by the next call, which
 * does not wait for the check.
 */
export function replicaHealth({
  isHealthy,
  firstPauseMs,
  clock,
}: {
  readonly isHealthy: () => Promise<boolean>;
  readonly firstPauseMs: number;
  readonly clock: Clock;
}): ReplicaHealth {
  let failures = 0;
  let outUntilMs: number | null = null;
  let pauseMs = firstPauseMs;
  let isChecking = false;

  const leaveOut = (): void => {
    outUntilMs = clock.now() + pauseMs;
    pauseMs = Math.min(mostPauseMs, 2 * pauseMs);
  };
  const readmit = (): void => {
    failures = 0;
    outUntilMs = null;
    pauseMs = firstPauseMs;
  };
  const check = async (): Promise<void> => {
    isChecking = true;
    const answer = await isHealthy().catch(() => false);
    isChecking = false;
    // A check that succeeds says nothing of why calls failed: the next failure puts it out for
    // longer.
    if (answer) [outUntilMs, failures] = [null, mostFailures - 1];
    else leaveOut();
  };

  return {
    isUp: () => {
      if (outUntilMs === null) return true;
      if (!isChecking && clock.now() >= outUntilMs) void check();
      return false;
    },
    succeeded: readmit,
    failed: (code) => {
      if (code === "lm-rate-limited") return;
      failures += code === "lm-unreachable" || code === "lm-stalled" ? mostFailures : 1;
      // Calls that were in flight when it went out fail after it, and say nothing new.
      if (failures >= mostFailures && outUntilMs === null) leaveOut();
    },
  };
}

const mostFailures = 3;
const mostPauseMs = 60_000;
