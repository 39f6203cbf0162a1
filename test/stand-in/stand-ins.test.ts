import { expect, test } from "vitest";
import { isStandIn, standInsAmong } from "../../src/stand-in/index.ts";

const real = { provider: "vllm", model: "Qwen/Qwen3-8B" };
const embedded = { provider: "rehearsal", model: "rehearsal-1" };
const served = { provider: "vllm", model: "rehearsal" };

test("the parts that a stand-in plays are named, also behind a URL", () => {
  const parts = { lm: served, judgeLm: undefined, embedder: real, pairScorer: embedded };
  expect(standInsAmong(parts)).toEqual([
    { part: "lm", ...served },
    { part: "pairScorer", ...embedded },
  ]);
  expect(standInsAmong({ lm: real })).toEqual([]);
});

test.each([[undefined], [null], ["rehearsal"], [{}], [{ provider: "rehearsal" }], [real]])(
  "%j is not a stand-in",
  (identity) => {
    expect(isStandIn(identity)).toBe(false);
  },
);
