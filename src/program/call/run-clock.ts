import type { TraceClock } from "../../contract/index.ts";
import { epochMs, systemClock } from "../../internal/index.ts";

/** A clock that starts at 0 now, so that its times are relative to the run's start. */
export function runClock(clock: TraceClock = { ...systemClock, epochMs }): TraceClock {
  const startMs = clock.now();
  return { now: () => clock.now() - startMs, epochMs: () => clock.epochMs() };
}
