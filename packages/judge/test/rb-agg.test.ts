import { expect, test } from "vitest";
import { rbAggOf } from "../src/index.ts";

test("puts RB_agg together from given BERTScores", () => {
  const parts = { bertRecall: 0.3, tokenRecall: 0.6, rougeL: 0.4, bertPrecisions: [0.2, 0.5] };
  expect(rbAggOf(parts)).toBeCloseTo(0.5584725537, 10);
  expect(
    rbAggOf({ bertRecall: -0.2, tokenRecall: 0, rougeL: 0.2, bertPrecisions: [-0.1] }),
  ).toBeCloseTo(0.3085714286, 10);
  expect(
    rbAggOf({ bertRecall: null, tokenRecall: 0.6, rougeL: 0.5, bertPrecisions: [0.3] }),
  ).toBeCloseTo(0.5763546798, 10);
  // Null passages are left out, which is not the same as a precision of 0.
  expect(rbAggOf({ ...parts, bertPrecisions: [null, 0.5] })).toBe(rbAggOf(parts));
  expect(rbAggOf({ ...parts, bertPrecisions: [null, -0.5] })).toBe(
    rbAggOf({ ...parts, bertPrecisions: [-0.5] }),
  );
  for (const zero of [
    { ...parts, rougeL: 0 },
    { ...parts, bertRecall: -1 },
    { ...parts, bertPrecisions: [] },
    { ...parts, bertPrecisions: [null] },
  ]) {
    expect(rbAggOf(zero)).toBe(0);
  }
});
