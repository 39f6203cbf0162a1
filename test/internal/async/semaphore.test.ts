import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { semaphore } from "../../../src/internal/index.ts";

test("waiting tasks run in the order they came, and idle() resolves when all have ended", async () => {
  const limit = semaphore(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const tasks = ends.map(({ promise }, index) =>
    limit.run(() => {
      begun.push(index);
      return promise;
    }),
  );
  expect([begun, limit.running, limit.waiting]).toEqual([[0, 1], 2, 2]);
  ends[1]?.resolve();
  await tasks[1];
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve();
  await limit.idle();
  expect([begun, limit.running, limit.waiting]).toEqual([[0, 1, 2, 3], 0, 0]);
});

test("a task that is aborted while it waits leaves at once and never runs", async () => {
  const limit = semaphore(1);
  const first = Promise.withResolvers<void>();
  const running = limit.run(() => first.promise);
  const controller = new AbortController();
  let hasRun = false;
  const waiting = limit.run(async () => {
    hasRun = true;
  }, controller.signal);
  controller.abort(new Error("no longer needed"));
  expect(limit.waiting).toBe(0);
  await expect(waiting).rejects.toThrow("no longer needed");
  first.resolve();
  await running;
  expect(hasRun).toBe(false);
});

test("a task that is aborted while it runs keeps its place until it has ended", async () => {
  const limit = semaphore(1);
  const controller = new AbortController();
  const end = Promise.withResolvers<void>();
  const aborted = limit.run(() => end.promise, controller.signal);
  let hasBegun = false;
  const next = limit.run(async () => {
    hasBegun = true;
  });
  controller.abort();
  await Promise.resolve();
  expect([hasBegun, limit.running]).toEqual([false, 1]);
  end.resolve();
  await Promise.all([aborted, next]);
  expect(hasBegun).toBe(true);
});

test("a task that waited runs in its caller's async context", async () => {
  const storage = new AsyncLocalStorage<string>();
  const limit = semaphore(1);
  const run = (name: string) =>
    storage.run(name, () => limit.run(async () => [name, storage.getStore()]));
  expect(await Promise.all([run("a"), run("b"), run("c")])).toEqual([
    ["a", "a"],
    ["b", "b"],
    ["c", "c"],
  ]);
});
