import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { systemClock } from "../../../src/internal/index.ts";
import { heldDeadline } from "../../../src/serve/rollout/held-deadline.ts";

test("a deadline's time stands still while anybody holds it, and it ends once", async () => {
  const begun = performance.now();
  const ends: number[] = [];
  const onExpired = (): void => void ends.push(performance.now() - begun);
  using deadline = heldDeadline(100, { clock: systemClock, onExpired });
  deadline.hold();
  deadline.hold();
  await delay(100);
  deadline.letGo();
  await delay(100);
  expect(ends).toEqual([]);
  deadline.letGo();
  await expect.poll(() => ends.length).toBe(1);
  expect(ends[0]).toBeGreaterThan(290);
  // Who waits when it ends leaves after it.
  deadline.hold();
  deadline.letGo();
  await delay(50);
  expect(ends).toHaveLength(1);
});

test("what went before it was held counts once, and what is disposed of does not end", async () => {
  const begun = performance.now();
  let endedMs = 0;
  const onExpired = (): void => void (endedMs = performance.now() - begun);
  using deadline = heldDeadline(200, { clock: systemClock, onExpired });
  await delay(150);
  deadline.hold();
  deadline.hold();
  deadline.letGo();
  deadline.letGo();
  await expect.poll(() => endedMs).toBeGreaterThan(0);
  expect(endedMs).toBeGreaterThan(190);
  expect(endedMs).toBeLessThan(320);

  let isEnded = false;
  const disposed = heldDeadline(20, { clock: systemClock, onExpired: () => (isEnded = true) });
  disposed.hold();
  disposed[Symbol.dispose]();
  disposed.letGo();
  await delay(60);
  expect(isEnded).toBe(false);
});
