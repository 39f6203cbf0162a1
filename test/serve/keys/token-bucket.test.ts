import { expect, test } from "vitest";
import { tokenBucket } from "../../../src/serve/keys/token-bucket.ts";

test("a bucket gives what it holds at once, and then as much as runs into it", () => {
  let now = 1_000;
  const bucket = tokenBucket({ size: 60, fillMs: 60_000, now: () => now });
  const taken = (): number => {
    let count = 0;
    while (bucket.take()) count += 1;
    return count;
  };
  expect(taken()).toBe(60);
  expect([bucket.left, bucket.oneInMs, bucket.fullInMs]).toEqual([0, 1_000, 60_000]);
  now += 500;
  expect(taken()).toBe(0);
  expect(bucket.oneInMs).toBe(500);
  now += 500;
  expect(taken()).toBe(1);
  now += 10_000;
  expect(taken()).toBe(10);
  now += 3_600_000;
  expect(bucket.left).toBe(60);
  expect(taken()).toBe(60);
});
