import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "../../src/internal/index.ts";
import type { LockRefusal } from "../../src/storage/index.ts";
import { waitForLock } from "../../src/storage/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const lock = (path: string, patienceMs: number, clock = systemClock): Promise<Disposable> =>
  waitForLock(path, {
    patienceMs,
    clock,
    refused: (why: LockRefusal) => new Error(why.kind === "held" ? "held" : why.problem),
  });

test("the second waits until the first lets go, and nothing is written to the file", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "below", "lock");
  const first = await lock(path, 1_000);
  let isTaken = false;
  const second = lock(path, 10_000).then((taken) => {
    isTaken = true;
    return taken;
  });
  await systemClock.sleep(60);
  expect(isTaken).toBe(false);
  first[Symbol.dispose]();
  (await second)[Symbol.dispose]();
  expect((await stat(path)).size).toBe(0);
});

test("a lock that is held for longer than the patience is refused, tried to the end", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "lock");
  using _held = await lock(path, 0);
  let nowMs = 0;
  const slept: number[] = [];
  const clock = {
    now: () => nowMs,
    sleep: async (durationMs: number) => {
      slept.push(durationMs);
      nowMs += durationMs;
    },
  };
  await expect(lock(path, 100, clock)).rejects.toThrow("held");
  expect(slept).toEqual([20, 20, 20, 20, 20]);
});

test("a place that cannot be locked is refused at once", async () => {
  await using folder = await temporaryFolder();
  await expect(lock(folder.path, 10_000)).rejects.toThrow("unable to open database file");
});
