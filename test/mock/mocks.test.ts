import { expect, test } from "vitest";
import { isMock, mocksAmong } from "../../src/mock/index.ts";

const real = { provider: "vllm", model: "Qwen/Qwen3-8B" };
const embedded = { provider: "rehearsal", model: "rehearsal-1" };
const served = { provider: "vllm", model: "rehearsal" };

test("the parts that a mock plays are named, also behind a URL", () => {
  const parts = { lm: served, judgeLm: undefined, embedder: real, pairScorer: embedded };
  expect(mocksAmong(parts)).toEqual([
    { part: "lm", ...served },
    { part: "pairScorer", ...embedded },
  ]);
  expect(mocksAmong({ lm: real })).toEqual([]);
});

test.each([[undefined], [null], ["rehearsal"], [{}], [{ provider: "rehearsal" }], [real]])(
  "%j is not a mock",
  (identity) => {
    expect(isMock(identity)).toBe(false);
  },
);
