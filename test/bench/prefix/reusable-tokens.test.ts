import { describe, expect, it } from "vitest";
import { reusableTokens } from "./reusable-tokens.ts";

const run = (length: number, first = 0): number[] =>
  Array.from({ length }, (_, index) => first + index);

describe("the reusable tokens of a sequence of prompts", () => {
  it("are full blocks that are equal from the start", () => {
    const system = run(40);
    const prompts = [
      [...system, ...run(20, 100)],
      [...system, ...run(20, 200)],
    ];
    // 40 shared tokens are two full blocks of 16 and a rest of 8.
    expect(reusableTokens(prompts)).toEqual([0, 32]);
  });

  it("are none behind the first difference, however much is equal there", () => {
    expect(reusableTokens([run(64), [999, ...run(63, 1)]])).toEqual([0, 0]);
  });

  it("leave at least one token to compute", () => {
    expect(reusableTokens([run(32), run(32), run(33), run(33)])).toEqual([0, 16, 16, 32]);
  });

  it("may be of any earlier prompt, not of the last one only", () => {
    expect(reusableTokens([run(33), run(33, 500), run(33)])).toEqual([0, 0, 32]);
  });
});
