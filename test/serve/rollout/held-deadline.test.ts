import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/internal/index.ts";
import { heldDeadline } from "../../../src/serve/rollout/held-deadline.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

test("a deadline's time stands still while anybody holds it, and it ends once", () => {
  const begun = performance.now();
  const ends: number[] = [];
  const onExpired = (): void => void ends.push(performance.now() - begun);
  using deadline = heldDeadline(100, { clock: systemClock, onExpired });
  deadline.hold();
  deadline.hold();
  vi.advanceTimersByTime(100);
  deadline.letGo();
  vi.advanceTimersByTime(100);
  expect(ends).toEqual([]);
  deadline.letGo();
  vi.advanceTimersByTime(500);
  expect(ends).toEqual([300]);
  // Who waits when it ends leaves after it.
  deadline.hold();
  deadline.letGo();
  vi.advanceTimersByTime(500);
  expect(ends).toHaveLength(1);
});

test("what went before it was held counts once, and what is disposed of does not end", () => {
  const begun = performance.now();
  let endedMs = 0;
  const onExpired = (): void => void (endedMs = performance.now() - begun);
  using deadline = heldDeadline(200, { clock: systemClock, onExpired });
  vi.advanceTimersByTime(150);
  deadline.hold();
  deadline.hold();
  deadline.letGo();
  deadline.letGo();
  vi.advanceTimersByTime(500);
  expect(endedMs).toBe(200);

  let isEnded = false;
  const disposed = heldDeadline(20, { clock: systemClock, onExpired: () => (isEnded = true) });
  disposed.hold();
  disposed[Symbol.dispose]();
  disposed.letGo();
  vi.advanceTimersByTime(500);
  expect(isEnded).toBe(false);
});
