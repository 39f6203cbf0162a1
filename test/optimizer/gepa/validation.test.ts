import { describe, expect, it } from "vitest";
import type { TextOptimizationResult, ValidationPolicy } from "espalier/optimizer";
import { neutralByTraining, optimizeTexts, racingValidation } from "espalier/optimizer";
import { fullValidation, improvementOnVal } from "../../conformance/reference/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import { advance } from "../../../src/optimizer/gepa/state/advance.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { searchOnly } from "../support/search-only.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import type { Scores } from "./support/search-view.ts";
import { candidateOf, searchView } from "./support/search-view.ts";
import { gepaWith } from "../support/gepa-with.ts";

const view = searchView({ candidates: [candidateOf(0, { v: 0 })] });
const ids = Array.from({ length: 10 }, (_, index) => `v${index}`);

describe("fullValidation", () => {
  it("runs all of val at once, and never stops", () => {
    expect(fullValidation().order(view, ids, 0)).toEqual([ids]);
    expect(fullValidation().stop).toBeUndefined();
  });
});

describe("racingValidation", () => {
  it("runs every example once, in groups of its size", () => {
    for (const size of [1, 3, 4, 10, 99]) {
      const groups = racingValidation({ size }).order(view, ids, 0);
      expect(groups.flat().toSorted()).toEqual(ids.toSorted());
      expect(groups).toHaveLength(Math.ceil(10 / size));
      expect(groups.slice(0, -1).every(({ length }) => length === size)).toBe(true);
    }
    expect(racingValidation().order(view, [], 0).flat()).toEqual([]);
  });

  it("runs as many as before together in each group of a wide search", () => {
    const sizesOf = (size: number, ahead = 10): readonly number[] => {
      const wide = searchView({ candidates: [candidateOf(0, { v: 0 })], ahead });
      const groups = racingValidation({ size }).order(wide, ids, 0);
      expect(groups.flat()).toEqual(racingValidation({ size }).order(view, ids, 0).flat());
      return groups.map(({ length }) => length);
    };
    expect(sizesOf(1)).toEqual([1, 1, 2, 4, 2]);
    expect(sizesOf(3)).toEqual([3, 3, 4]);
    expect(sizesOf(99)).toEqual([10]);
    // No more than may be made ahead.
    expect(sizesOf(1, 3)).toEqual([1, 1, 2, 3, 3]);
    expect(sizesOf(3, 2)).toEqual([3, 3, 3, 1]);
  });

  it.each([
    // 0.5 behind, and no more than 0.5 to gain: equal at best.
    [[1, 0.5], [0.5, 0.5], 0.5, "Even if perfect on the rest of val, no better than its parent."],
    [[1, 0.5], [0.5, 0.5], 0.75, null],
    [[1, 1], [0, 1], 3, null],
    [
      Array(16).fill(1),
      [...Array(9).fill(0), ...Array(7).fill(1)],
      30,
      "9 behind its parent on part of val.",
    ],
    // Gains and losses at once, as of luck.
    [[1, 0, 1, 0, 1, 0, 1, 0, 1, 1], [0, 1, 0, 1, 0, 1, 0, 1, 0, 0], 30, null],
    [[0, 0], [1, 1], 0, null],
    // Level, with nothing to gain: it may yet be as good.
    [[0.5, 0.5], [0.5, 0.5], 0, null],
  ])("after %j against %j, with %j to gain, says %j", (parent, child, maxGain, said) => {
    expect(racingValidation().stop?.({ parent, child }, maxGain, 1)).toBe(said);
  });

  it("calls a child worse that is not in at most `refusalAlpha` of the races, at whichever look", () => {
    const { stop } = racingValidation({ refusalAlpha: 0.05 });
    let stopped = 0;
    const races = 2_000;
    for (let seed = 0; seed < races; seed++) {
      const draws = randomSource(seed, "equal candidates");
      const scores = (): number[] => Array.from({ length: 96 }, () => draws.below(2));
      const [parent, child] = [scores(), scores()];
      const isStopped = [16, 32, 48, 64, 80, 96].some((seen) => {
        const pairs = { parent: parent.slice(0, seen), child: child.slice(0, seen) };
        return stop?.(pairs, Infinity, 1) !== null;
      });
      if (isStopped) stopped++;
    }
    expect(stopped).toBeGreaterThan(0);
    expect(stopped / races).toBeLessThanOrEqual(0.05);
  });

  it("by its bound alone stops a child exactly when no scores on the rest could get it accepted", async () => {
    const { stop } = racingValidation({ refusalAlpha: 0 });
    const { judge } = neutralByTraining();
    const grid = [0, 0.5, 1];
    const completions = (left: number): readonly (readonly number[])[] =>
      left === 0
        ? [[]]
        : completions(left - 1).flatMap((rest) => grid.map((score) => [...rest, score]));
    const better = { parent: [0], child: [1] };
    let [stopped, levelAndStopped] = [0, 0];
    for (let seed = 0; seed < 300; seed++) {
      const draws = randomSource(seed, "race");
      const scores = (count: number): number[] =>
        Array.from({ length: count }, () => draws.below(3) / 2);
      const [seen, left] = [1 + draws.below(5), draws.below(4)];
      const [parent, child, parentLeft] = [scores(seen), scores(seen), scores(left)];
      const verdicts = await Promise.all(
        completions(left).map(async (rest) =>
          judge(
            { parent: [...parent, ...parentLeft], child: [...child, ...rest] },
            async () => better,
          ),
        ),
      );
      const isHopeless = verdicts.every(({ accepts }) => !accepts);
      const sum = (values: readonly number[]): number =>
        values.reduce((one, other) => one + other, 0);
      const said = stop?.({ parent, child }, left - sum(parentLeft), 1);
      expect(said !== null).toBe(isHopeless);
      if (isHopeless) stopped++;
      if (isHopeless && sum(parent) === sum(child)) levelAndStopped++;
    }
    expect(stopped).toBeGreaterThan(50);
    expect(levelAndStopped).toBeGreaterThan(0);
  });

  it("refuses in at most `refusalAlpha` of all orders a child that would end ahead, and sooner than by draws from many one that would not", () => {
    const alpha = 0.5;
    const { stop } = racingValidation({ refusalAlpha: alpha });
    const orders = permutations([0, 1, 2, 3, 4, 5, 6]);
    /** After how many examples each order ends; at most all. */
    const lengths = (parent: readonly number[], child: readonly number[], isOfFew: boolean) =>
      orders.map((order) => {
        for (let seen = 1; seen < order.length; seen++) {
          const first = order.slice(0, seen);
          const scoresOf = (all: readonly number[]): number[] => first.map((at) => all[at] ?? 0);
          const pairs = {
            parent: scoresOf(parent),
            child: scoresOf(child),
            ...(isOfFew && { drawnFrom: first.map((_, index) => order.length - index) }),
          };
          if (stop?.(pairs, Infinity, 1) !== null) return seen;
        }
        return order.length;
      });
    const total = (values: readonly number[]): number =>
      values.reduce((one, other) => one + other, 0);
    const refusedAhead: number[] = [];
    const savedBehind: number[] = [];
    for (let seed = 0; seed < 40; seed++) {
      const draws = randomSource(seed, "panels");
      const scores = (): number[] => Array.from({ length: 7 }, () => draws.below(3) / 2);
      const [parent, child] = [scores(), scores()];
      const ofFew = lengths(parent, child, true);
      if (total(child) > total(parent)) {
        refusedAhead.push(ofFew.filter((seen) => seen < 7).length / orders.length);
      } else {
        savedBehind.push(total(lengths(parent, child, false)) - total(ofFew));
      }
    }
    expect(Math.max(...refusedAhead)).toBeLessThanOrEqual(alpha);
    expect(total(refusedAhead)).toBeGreaterThan(0);
    expect(Math.min(...savedBehind)).toBeGreaterThanOrEqual(0);
    expect(total(savedBehind)).toBeGreaterThan(0);
  });

  it("is told from how many examples each was drawn, and which were known", async () => {
    const policy = racingValidation({ size: 3, alpha: 0, refusalAlpha: 0 });
    let drawn = 0;
    await search(
      {
        ...policy,
        stop: (pairs, ...rest) => {
          const from = pairs.drawnFrom ?? [];
          expect(from).toHaveLength(pairs.child.length);
          const known = from.filter((count) => count === 0).length;
          const left = 10 - known;
          expect(from.slice(known)).toEqual(from.slice(known).map((_, index) => left - index));
          drawn += from.length - known;
          return policy.stop?.(pairs, ...rest) ?? null;
        },
      },
      0,
    );
    expect(drawn).toBeGreaterThan(0);
  });

  it("in a run takes the very candidates that full validation takes, for fewer metric calls", async () => {
    let saved = 0;
    for (let seed = 0; seed < 5; seed++) {
      const [full, racing] = await Promise.all(
        [fullValidation(), racingValidation({ size: 4, refusalAlpha: 0 })].map(async (policy) =>
          search(policy, seed),
        ),
      );
      expect(racing?.candidates.map(shownOf)).toEqual(full?.candidates.map(shownOf));
      expect(racing?.rejections.length).toBe(full?.rejections.length);
      saved += spentBeforeLast(full) - spentBeforeLast(racing);
    }
    expect(saved).toBeGreaterThan(0);
  });

  it("in a run refuses a child that fell behind before it was run on all of val", async () => {
    const races = await Promise.all(
      [0, 1, 2, 3, 4].map(async (seed) =>
        search(racingValidation({ size: 2, refusalAlpha: 0.9 }), seed),
      ),
    );
    const behind = races
      .flatMap(({ rejections }) => rejections)
      .filter(({ detail }) => detail.includes("behind its parent on part"));
    expect(behind.length).toBeGreaterThan(0);
    expect(new Set(behind.map(({ reason }) => reason))).toEqual(new Set(["not-better-on-val"]));
  });

  it("in a run without a perfect score stops no child", async () => {
    const { rejections } = await search(racingValidation({ size: 2, refusalAlpha: 0.9 }), 0, null);
    expect(rejections.length).toBeGreaterThan(0);
    expect(rejections.some(({ detail }) => detail.includes("on part of val"))).toBe(false);
  });

  it.each([{ size: 0 }, { size: 1.5 }, { refusalAlpha: 1.5 }])("refuses %j", async (options) => {
    expect((await thrownBy(() => racingValidation(options))).code).toBe("option-invalid");
  });
});

// A search space does not grow, so that val does not either.
describe("behaviour 20: evaluation on part of val", () => {
  it("is what a policy orders, and comparisons are over the examples that both were run on", async () => {
    const half: ValidationPolicy = {
      name: "half",
      order: (_, exampleIds) => [exampleIds.filter((id) => Number(id.slice(1)) % 2 === 0)],
    };
    const { candidates } = await search(half, 1);
    expect(candidates.length).toBeGreaterThan(1);
    const [seed, ...others] = candidates;
    expect(Object.keys(seed?.selection.scores ?? {})).toHaveLength(10);
    for (const { selection, parents } of others) {
      const examples = Object.keys(selection.scores);
      expect(examples).toEqual(["v0", "v2", "v4", "v6", "v8"]);
      const sum = (scores: Scores = {}): number =>
        examples.reduce((total, id) => total + (scores[id] ?? 0), 0);
      expect(sum(selection.scores)).toBeGreaterThan(
        sum(candidates[parents[0] ?? -1]?.selection.scores),
      );
    }
  });

  it("makes best the highest mean; of equal ones the one scored on more, then the earlier", async () => {
    const table: readonly (readonly [scores: Scores, best: number])[] = [
      [{ v0: 0.5, v1: null }, 0],
      [{ v0: null, v1: 0.5 }, 0],
      [{ v0: 0.25, v1: 0.75 }, 2],
      [{ v0: 0.75, v1: 0.25 }, 2],
      [{ v0: 0.5, v1: null }, 2],
      [{ v0: 0.75, v1: null }, 5],
      [{ v0: 0.5, v1: 0.5 }, 5],
    ];
    const best: (number | undefined)[] = [];
    const optimizer = searchOnly((tools, start) => {
      let state = start;
      for (const [id, [scores]] of table.entries()) {
        const accepted = {
          kind: "accepted",
          by: "reflection",
          candidate: candidateOf(id, scores),
          acted: { exampleIds: [], components: [] },
          onTrain: [],
          observed: [],
        } as const;
        state = advance(state, [accepted], tools);
        best.push(state.best?.id);
      }
    });
    await optimizeTexts(keywordTask({ val: 2 }).task, { optimizer, budget: { metricCalls: 100 } });
    expect(best).toEqual(table.map(([, expected]) => expected));
  });
});

async function search(
  validation: ValidationPolicy,
  seed: number,
  perfectScore: number | null = 1,
): Promise<TextOptimizationResult> {
  return optimizeTexts(keywordTask({ seed, train: 20 }).task, {
    optimizer: gepaWith({
      validation,
      perfectScore,
      scoreReuse: "none",
      gateAbove: null,
      valAcceptance: improvementOnVal(),
      proposer: directedProposer(),
    }),
    budget: { metricCalls: 5_000, reflectionCalls: 40 },
  });
}

/** What is left once no text can be written is spent in any case. */
function spentBeforeLast(result: TextOptimizationResult | undefined): number {
  return result?.candidates.at(-1)?.metricCallsBefore ?? 0;
}

function shownOf({
  components,
  selection,
  parents,
  iteration,
}: TextOptimizationResult["best"]): object {
  return { components, selection, parents, iteration };
}

function permutations(items: readonly number[]): readonly (readonly number[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
