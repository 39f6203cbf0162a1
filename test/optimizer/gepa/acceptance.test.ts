import { describe, expect, it } from "vitest";
import type { MinibatchAcceptance, ScorePairs, ValAcceptance, Verdict } from "espalier/optimizer";
import { neutralByTraining, optimizeTexts, strictImprovement } from "espalier/optimizer";
import { anyOnVal, epochMinibatches } from "../../conformance/reference/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import { signFlipP } from "../../../src/optimizer/gepa/strategy/acceptance.ts";
import { scorePairs } from "../../../src/optimizer/gepa/strategy/score-pairs.ts";
import { directedProposer, keywordTask, textsOf } from "./support/keyword-task.ts";
import { gepaWith } from "../support/gepa-with.ts";

const noDraws = (): never => {
  throw new Error("No draw was expected.");
};

describe("behaviour 5: acceptance on sums", () => {
  it.each([
    [{ a: 0, b: 0.5 }, { a: 0.5, b: 0.5 }, true],
    [{ a: 0, b: 0.5 }, { a: 0.5, b: 0 }, false],
    [{ a: 1, b: 0.5 }, { a: 0.5, b: 0.5 }, false],
    // Only rounding tells the two sums apart: 0.6 and 0.6000000000000001.
    [{ a: 0.3, b: 0.2, c: 0.1 }, { a: 0.1, b: 0.2, c: 0.3 }, false],
    [{ a: 0.1, b: 0.2, c: 0.3 }, { a: 0.3, b: 0.2, c: 0.1 }, false],
    // What one side has no score for counts for neither, where gepa counts 0.
    [{ a: 0.5, b: null }, { a: 0.5, b: 1 }, false],
    [{ a: 0.5, b: 1 }, { a: 0.6, b: null }, true],
    [{ a: 0.5 }, { a: 0.5, b: 1 }, false],
    [{ a: null }, { a: 1 }, false],
  ])("of %j against %j: better %s", (parent, child, isBetter) => {
    const pairs = scorePairs(parent, child);
    expect(strictImprovement().judge(pairs).accepts).toBe(isBetter);
  });

  it("says both sums where it refuses", () => {
    expect(strictImprovement().judge({ parent: [0.5, 1], child: [0.25, 1] })).toEqual({
      accepts: false,
      reason: "Sum of 1.25 on the minibatch, the parent's is 1.5.",
    });
  });
});

describe("signFlipP", () => {
  // scipy 1.17.1: permutation_test((child, parent), sum of differences, permutation_type="samples",
  // alternative="greater", n_resamples=inf).
  const figures: readonly (readonly [readonly number[], readonly number[], number])[] = [
    [[0, 0, 0], [1, 1, 1], 0.125],
    [[0.2, 0.5, 0.4, 0.1, 0.9], [0.5, 0.6, 0.35, 0.8, 0.95], 0.09375],
    [[0, 1, 0, 1, 0, 0.5, 0.25, 0], [1, 1, 1, 0, 1, 0.75, 0.5, 1], 0.0703125],
    [[0.3, 0.3, 0.3, 0.3, 0.3, 0.3], [0.3, 0.5, 0.1, 0.3, 0.9, 0.4], 0.25],
    [
      [0.1, 0.7, 0.3, 0.2, 0.9, 0.5, 0.4, 0.6, 0, 0.8],
      [0.45, 0.65, 0.62, 0.2, 0.95, 0.81, 0.33, 0.77, 0.5, 0.7],
      0.03515625,
    ],
    [[1, 0, 1], [0, 1, 0], 0.875],
  ];

  it.each(figures)("of %j against %j has scipy's p-value %d", (parent, child, p) => {
    expect(signFlipP({ parent, child }, noDraws)).toBe(p);
  });

  it("has the p-value that counting all ways to swap pairs gives", () => {
    for (let seed = 0; seed < 200; seed++) {
      const draws = randomSource(seed, "pairs");
      const scores = (): number[] => Array.from({ length: size }, () => draws.below(9) / 8);
      const size = 1 + draws.below(11);
      const pairs = { parent: scores(), child: scores() };
      expect(signFlipP(pairs, noDraws)).toBeCloseTo(swapped(pairs), 12);
    }
  });

  it("comes near scipy's exact p-value by random flips where pairs are many", () => {
    const parent = [0.64, 0.27, 0.04, 0.02, 0.81, 0.91, 0.61, 0.73].concat([
      0.54, 0.94, 0.82, 0, 0.86, 0.03, 0.73, 0.18,
    ]);
    const child = [0.58, 0.27, 0.22, 0.36, 0.86, 1, 0.52, 0.9].concat([
      0.85, 1, 0.71, 0, 0.83, 0.17, 0.56, 0.21,
    ]);
    const exact = 0.07171630859375;
    const flips = 4_096;
    for (let seed = 0; seed < 5; seed++) {
      const p = signFlipP({ parent, child }, () => randomSource(seed, "flips"));
      expect(Math.abs(p - exact)).toBeLessThan(5 * Math.sqrt((exact * (1 - exact)) / flips));
    }
  });
});

describe("acceptance on val", () => {
  const better = { parent: [0.5, 0.5], child: [0.25, 1] };
  const worse = { parent: [0.5, 0.5], child: [0.5, 0.25] };
  const mixed = { parent: [0.5, 0.5], child: [0.25, 0.75] };
  const same = { parent: [0.5, 0.5], child: [0.5, 0.5] };

  it("of anyOnVal takes each", async () => {
    for (const pairs of [better, worse, mixed, same]) {
      expect(await judged(anyOnVal(), pairs)).toEqual([{ accepts: true }, 0]);
    }
  });

  it("of neutralByTraining asks the training example only where no score on val changed", async () => {
    const gain = { parent: [0], child: [0.5] };
    expect(await judged(neutralByTraining(), better, gain)).toEqual([{ accepts: true }, 0]);
    expect(await judged(neutralByTraining(), worse, gain)).toMatchObject([{ accepts: false }, 0]);
    expect(await judged(neutralByTraining(), mixed, gain)).toMatchObject([{ accepts: false }, 0]);
    expect(await judged(neutralByTraining(), same, gain)).toMatchObject([
      { accepts: true, supersedes: true },
      1,
    ]);
    for (const onTrain of [{ parent: [0.5], child: [0.5] }, { parent: [1], child: [0] }, null]) {
      expect(await judged(neutralByTraining(), same, onTrain)).toMatchObject([
        { accepts: false },
        1,
      ]);
    }
  });

  it("of neutralByTraining makes a child best that is equal on val and better on train", async () => {
    // No example of val asks for `third`.
    const { task, judge } = keywordTask({ val: 1, train: 20, seed: 3, hasConflicts: false });
    const { candidates, best } = await optimizeTexts(task, {
      optimizer: gepaWith({ proposer: directedProposer(), perfectScore: null }),
      budget: { metricCalls: 120 },
    });
    const neutral = candidates.filter(
      ({ parents: [parent = -1], selection }) =>
        selection.value === candidates[parent]?.selection.value,
    );
    expect(neutral.length).toBeGreaterThan(0);
    for (const { components, learntFrom, parents } of neutral) {
      const [about = ""] = learntFrom;
      const scoreOf = (held: typeof components): number => judge(textsOf(held), about).score;
      expect(scoreOf(components)).toBeGreaterThan(
        scoreOf(candidates[parents[0] ?? -1]?.components ?? []),
      );
    }
    // The last of those equal on val, not the first.
    expect(best.id).toBe(
      candidates.findLast(({ selection }) => selection.value === best.selection.value)?.id,
    );
    expect(best.id).toBeGreaterThan(0);
  });
});

it("behaviour 6: a criterion is asked once for each proposal, and its reasons are told", async () => {
  const said: Verdict[] = [];
  // Has a state: refuses every other proposal, for a reason of its own.
  const moody: MinibatchAcceptance = {
    name: "moody",
    judge: () => {
      const accepts = said.length % 2 === 1;
      said.push(accepts ? { accepts } : { accepts, reason: `No. ${said.length}.` });
      return said.at(-1) as Verdict;
    },
  };
  let proposed = 0;
  const { rejections } = await optimizeTexts(keywordTask({ train: 18 }).task, {
    optimizer: gepaWith({
      minibatchAcceptance: moody,
      minibatch: epochMinibatches({ size: 3 }),
      gateAbove: 0,
      proposer: directedProposer(),
    }),
    budget: { metricCalls: 250 },
    onEvent: ({ kind }) => {
      if (kind === "candidate-proposed") proposed++;
    },
  });
  expect(said.length).toBeGreaterThan(5);
  expect(said).toHaveLength(proposed);
  const told = rejections.filter(({ reason }) => reason === "not-better");
  expect(told.map(({ detail }) => detail)).toEqual(
    said.flatMap((verdict) => (verdict.accepts ? [] : [verdict.reason])),
  );
});

/** Share of the ways to swap parent and child, pair by pair, that give the child's sum or more. */
function swapped({ parent, child }: ScorePairs): number {
  let ways: readonly number[] = [0];
  for (const [index, score] of child.entries()) {
    const other = parent[index] ?? 0;
    ways = ways.flatMap((gain) => [gain + score - other, gain + other - score]);
  }
  const seen = child.reduce((sum, score, index) => sum + score - (parent[index] ?? 0), 0);
  return ways.filter((gain) => gain >= seen - 1e-9).length / ways.length;
}

/** The verdict, and how often the training example was asked for. */
async function judged(
  acceptance: ValAcceptance,
  onVal: ScorePairs,
  onTrain: ScorePairs | null = null,
): Promise<readonly [Verdict, number]> {
  let asked = 0;
  const verdict = await acceptance.judge(onVal, async () => {
    asked++;
    return onTrain;
  });
  return [verdict, asked];
}
