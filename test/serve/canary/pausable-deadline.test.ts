import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/internal/index.ts";
import { pausableDeadline } from "../../../src/serve/canary/shadow-traffic.ts";

beforeEach(
  () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "hrtime"] }),
);
afterEach(() => void vi.useRealTimers());

test("a deadline's time stands still while anybody holds it, and it ends once", () => {
  const begun = performance.now();
  const ends: number[] = [];
  const onExpired = (): void => void ends.push(performance.now() - begun);
  using deadline = pausableDeadline(100, { clock: systemClock, onExpired });
  deadline.pause();
  deadline.pause();
  vi.advanceTimersByTime(100);
  deadline.resume();
  vi.advanceTimersByTime(100);
  expect(ends).toEqual([]);
  deadline.resume();
  vi.advanceTimersByTime(500);
  expect(ends).toEqual([300]);
  // Who waits when it ends leaves after it.
  deadline.pause();
  deadline.resume();
  vi.advanceTimersByTime(500);
  expect(ends).toHaveLength(1);
});

test("what went before it was held counts once, and what is disposed of does not end", () => {
  const begun = performance.now();
  let endedMs = 0;
  const onExpired = (): void => void (endedMs = performance.now() - begun);
  using deadline = pausableDeadline(200, { clock: systemClock, onExpired });
  vi.advanceTimersByTime(150);
  deadline.pause();
  deadline.pause();
  deadline.resume();
  deadline.resume();
  vi.advanceTimersByTime(500);
  expect(endedMs).toBe(200);

  let isEnded = false;
  const disposed = pausableDeadline(20, { clock: systemClock, onExpired: () => (isEnded = true) });
  disposed.pause();
  disposed[Symbol.dispose]();
  disposed.resume();
  vi.advanceTimersByTime(500);
  expect(isEnded).toBe(false);
});
