import { expect, test } from "vitest";
import { forecast } from "../../src/evaluate/index.ts";

function clockAt(): { now: () => number; sleep: () => Promise<void>; at: number } {
  const clock = { at: 1000, now: () => clock.at, sleep: () => Promise.resolve() };
  return clock;
}

test("knows nothing before the first completion, and no time is left at the end", () => {
  const clock = clockAt();
  const progress = forecast(2, clock);
  expect(progress.etaMs(0)).toBeNull();
  clock.at += 10;
  expect(progress.etaMs(1)).toBe(10);
  clock.at += 10;
  expect(progress.etaMs(2)).toBe(0);
});

test("extends the rate so far", () => {
  const clock = clockAt();
  const progress = forecast(100, clock);
  for (let done = 1; done <= 20; done++) {
    clock.at += 5;
    progress.etaMs(done);
  }
  expect(progress.etaMs(20)).toBe(80 * 5);
});

test("forgets a fast start, as from a warm cache", () => {
  const clock = clockAt();
  const progress = forecast(1000, clock);
  let eta: number | null = null;
  for (let done = 1; done <= 200; done++) {
    clock.at += done <= 100 ? 0 : 200;
    eta = progress.etaMs(done);
  }
  expect(eta).toBe(800 * 200);
});
