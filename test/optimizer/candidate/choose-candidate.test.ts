import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CandidateRecord } from "espalier/optimizer";
import { candidateMeasures, chooseCandidate, paretoFront } from "espalier/optimizer";
import { thrownBy } from "../../support/thrown-by.ts";

interface Figures {
  readonly quality: number;
  readonly promptTokens: number;
  readonly lmCalls: number;
  readonly brevity: number;
}

function candidate(
  id: number,
  { quality, promptTokens, lmCalls, brevity }: Figures,
): CandidateRecord {
  return {
    id,
    components: [],
    parents: id === 0 ? [] : [0],
    iteration: id,
    changed: [],
    learntFrom: [],
    selection: {
      value: quality,
      scores: {},
      coverage: 1,
      objectives: { brevity },
      costs: { promptTokens, completionTokens: 10, lmCalls },
    },
    acceptance: { by: "test", detail: "" },
    metricCallsBefore: 0,
  };
}

const four = [
  { quality: 0.4, promptTokens: 100, lmCalls: 1, brevity: 0.9 },
  { quality: 0.7, promptTokens: 300, lmCalls: 2, brevity: 0.5 },
  { quality: 0.6, promptTokens: 300, lmCalls: 2, brevity: 0.5 },
  { quality: 0.9, promptTokens: 800, lmCalls: 2, brevity: 0.5 },
].map((figures, id) => candidate(id, figures));

describe("a candidate is chosen", () => {
  it.each([
    [{}, 3],
    [{ atLeast: { quality: 0.5 }, least: "promptTokens" }, 1],
    [{ atLeast: { quality: 0.4 }, least: "promptTokens" }, 0],
    [{ atMost: { promptTokens: 500 } }, 1],
    [{ atMost: { promptTokens: 500 }, most: "brevity" }, 0],
    [{ atLeast: { quality: 0.6, brevity: 0.5 }, atMost: { lmCalls: 2 }, least: "lmCalls" }, 3],
  ])("by %j: %i", (choice, expected) => {
    expect(chooseCandidate({ candidates: four }, choice).id).toBe(expected);
  });

  it("by fewer prompt tokens where quality is equal", () => {
    const equal = [300, 200, 200].map((promptTokens, id) =>
      candidate(id, { quality: 0.7, promptTokens, lmCalls: 1, brevity: 0.5 }),
    );
    expect(chooseCandidate({ candidates: equal }, {}).id).toBe(1);
    expect(chooseCandidate({ candidates: equal }, { least: "lmCalls" }).id).toBe(1);
  });

  it.each([
    ["an unknown measure", { least: "speed" }, "option-invalid", "`promptTokens`"],
    ["an unknown bound", { atLeast: { f1: 1 } }, "option-invalid", "`f1`"],
    ["latency that was not measured", { least: "latencyMs" }, "option-invalid", "measuresLatency"],
    ["two wishes", { least: "lmCalls", most: "quality" }, "option-invalid", "not both"],
    [
      "a bound that is no number",
      { atMost: { lmCalls: Number.NaN } },
      "option-invalid",
      "finite bounds",
    ],
    ["bounds that none keeps", { atLeast: { quality: 0.95 } }, "choice-unmet", "from 0.4 to 0.9"],
  ] as const)("and %s is refused", async (_, choice, code, told) => {
    const error = await thrownBy(() => chooseCandidate({ candidates: four }, choice));
    expect(error.code).toBe(code);
    expect(error.message).toContain(told);
  });
});

describe("the front", () => {
  it("leaves out what another is at least as good as in all, and better in one", () => {
    expect(paretoFront(four)).toEqual([0, 1, 3]);
  });

  it("holds, of any candidates, those that no other dominates, and every choice's winner is as good as one in it", () => {
    const figure = fc.integer({ min: 0, max: 3 });
    const figures = fc.record({
      quality: figure,
      promptTokens: figure,
      lmCalls: figure,
      brevity: figure,
    });
    fc.assert(
      fc.property(fc.array(figures, { minLength: 1, maxLength: 12 }), (all) => {
        const candidates = all.map((one, id) => candidate(id, one));
        const front = paretoFront(candidates);
        const signs = { quality: 1, brevity: 1, promptTokens: -1, lmCalls: -1 } as const;
        const names = ["quality", "brevity", "promptTokens", "lmCalls"] as const;
        const beats = (one: Figures, other: Figures): boolean =>
          names.every((name) => signs[name] * (one[name] - other[name]) >= 0) &&
          names.some((name) => one[name] !== other[name]);
        for (const [id, one] of all.entries()) {
          const isBeaten = all.some((other) => beats(other, one));
          const isRepeated = all
            .slice(0, id)
            .some((other) => names.every((name) => other[name] === one[name]));
          expect(front.includes(id)).toBe(!isBeaten && !isRepeated);
        }
        for (const least of ["promptTokens", "lmCalls"]) {
          const chosen = chooseCandidate({ candidates }, { least });
          const least_ = Math.min(
            ...front.map(
              (id) =>
                candidateMeasures(candidates[id] as CandidateRecord).find(
                  ({ name }) => name === least,
                )?.value ?? Number.NaN,
            ),
          );
          expect(candidateMeasures(chosen).find(({ name }) => name === least)?.value).toBe(least_);
        }
      }),
    );
  });
});
