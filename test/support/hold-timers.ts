import { onTestFinished, vi } from "vitest";

/** Timers of this process stand still until the test calls `vi.advanceTimersByTime`. */
export function holdTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}
