import { expect, test } from "vitest";
import { boundedShare } from "../../../src/serve/comparison/sequential-comparison.ts";

test("however many users a key makes up, 10,000 of them wait, the first ones, and no other key counts for more by the rest", () => {
  const share = boundedShare<string>(0.5);
  for (let user = 0; user < 30_000; user += 1) {
    expect(share.add("made up", `user ${user}`)).toEqual([]);
  }
  expect(share.waiting).toBe(10_000);
  const counted: string[] = [];
  for (let user = 0; user < 15_000; user += 1) counted.push(...share.add("other", "other"));
  const madeUp = counted.filter((item) => item !== "other");
  expect(madeUp).toEqual(Array.from({ length: 10_000 }, (_, user) => `user ${user}`));
  expect(counted).toHaveLength(20_000);
  expect(share.waiting).toBe(5_000);
});
