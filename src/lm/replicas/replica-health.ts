import type { ErrorCode } from "../../errors/index.ts";
import type { Clock } from "../../internal/index.ts";

/** Whether one replica should receive calls. */
export interface ReplicaHealth {
  /** Whether it ever was up. */
  readonly isAdmitted: boolean;
  /** Also starts a health check in the background if one is due. */
  isUp(): boolean;
  succeeded(): void;
  failed(code: ErrorCode): void;
}

/**
 * Takes a replica out at once when it is unreachable or stalls, and after three other failures in a
 * row; a request to slow down keeps it in. Uses no timers: the next call notices that a pause is
 * over and does not wait for the check.
 *
 * @param isNew whether a check must succeed before the first call
 * @param onCheck called after every check; with the fault where there was one
 */
export function replicaHealth({
  isHealthy,
  firstPauseMs,
  isNew = false,
  onCheck = () => {},
  clock,
}: {
  readonly isHealthy: () => Promise<boolean>;
  readonly firstPauseMs: number;
  readonly isNew?: boolean;
  readonly onCheck?: (isHealthy: boolean, fault?: unknown) => void;
  readonly clock: Clock;
}): ReplicaHealth {
  let failures = 0;
  let outUntilMs = isNew ? clock.now() : null;
  let isAdmitted = !isNew;
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
    let fault: unknown;
    const answer = await isHealthy().catch((error: unknown) => {
      fault = error;
      return false;
    });
    isChecking = false;
    // A successful check does not explain why calls failed: the next failure takes the replica out
    // for longer.
    if (answer) [outUntilMs, failures, isAdmitted] = [null, mostFailures - 1, true];
    else leaveOut();
    onCheck(answer, fault);
  };

  return {
    get isAdmitted() {
      return isAdmitted;
    },
    isUp: () => {
      if (outUntilMs === null) return true;
      if (!isChecking && clock.now() >= outUntilMs) void check();
      return false;
    },
    succeeded: readmit,
    failed: (code) => {
      if (code === "lm-rate-limited") return;
      failures += code === "lm-unreachable" || code === "lm-stalled" ? mostFailures : 1;
      // Calls that were in flight when the replica went out fail after it and add no information.
      if (failures >= mostFailures && outUntilMs === null) leaveOut();
    },
  };
}

const mostFailures = 3;
const mostPauseMs = 60_000;
