import { expect, test } from "vitest";
import { deepFreeze } from "../../src/internal/index.ts";

test("all of a value is frozen, also what something frozen holds, and what two of its parts share", () => {
  const shared = { texts: ["a"] };
  const inFrozen = { deep: { deeper: {} } };
  const value = { shared, again: [shared], frozen: Object.freeze({ inFrozen }), none: null };
  expect(deepFreeze(value)).toBe(value);
  const parts = [value, shared, shared.texts, value.again, inFrozen, inFrozen.deep.deeper];
  expect(parts.map((part) => Object.isFrozen(part))).toEqual(parts.map(() => true));
});

test("a value that comes back to itself is frozen, and one that is deeper than the stack", () => {
  const cycle: { self?: unknown; inner: { outer?: unknown } } = { inner: {} };
  cycle.self = cycle;
  cycle.inner.outer = cycle;
  expect(Object.isFrozen(deepFreeze(cycle).inner)).toBe(true);
  const bottom = {};
  let top: object = bottom;
  for (let level = 0; level < 100_000; level++) top = { top };
  deepFreeze(top);
  expect(Object.isFrozen(bottom)).toBe(true);
});

test("views of array buffers, which cannot be frozen, are left as they are, and the rest is frozen", () => {
  const views = [new Float64Array(2), Buffer.from("ab"), new DataView(new ArrayBuffer(2))];
  const value = { views, after: {} };
  deepFreeze(value);
  expect([value, views, value.after].every((part) => Object.isFrozen(part))).toBe(true);
  const [numbers] = views as [Float64Array];
  numbers[0] = 1;
  expect([...numbers]).toEqual([1, 0]);
  expect(deepFreeze(numbers)).toBe(numbers);
});
