import { describe, expect, it } from "vitest";
import type { CandidateRecord } from "espalier/optimizer";
import type {
  CommonAncestorMergeOptions,
  MergedChild,
  MergeHistory,
  MergeView,
} from "../../conformance/reference/index.ts";
import { commonAncestorMerge, noMerges } from "../../conformance/reference/index.ts";
import { candidateOf, searchView } from "./support/search-view.ts";

/** A candidate as `lineage` takes it: parents, texts, and scores on v0, v1, ... */
interface Drawn {
  readonly from: readonly number[];
  readonly texts: readonly string[];
  readonly scores: readonly (number | null)[];
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

/** Two children of the seed, each better on one half of val, that changed one text each. */
const family: readonly Drawn[] = [
  { from: [], texts: ["a", "b"], scores: [0, 0, 0, 0, 0, 0] },
  { from: [0], texts: ["A", "b"], scores: [1, 1, 1, 0, 0, 0] },
  { from: [0], texts: ["a", "B"], scores: [0, 0, 0, 1, 1, 1] },
];

describe("behaviour 17: what commonAncestorMerge puts together", () => {
  it("takes from each of two candidates what it alone changed", () => {
    for (const seed of seeds) {
      expect(proposed(family, { seed })).toMatchObject({
        parents: [1, 2],
        ancestor: 0,
        sources: [1, 2],
        components: [{ value: "A" }, { value: "B" }],
      });
    }
  });

  it.each([
    // ancestor, one, other, values of the two -> whom each text may come from
    { one: ["A", "b", "c"], other: ["a", "B", "c"], values: [1, 2], from: [[1], [2], [1]] },
    { one: ["A", "B", "c"], other: ["a", "X", "c"], values: [1, 2], from: [[1], [2], [1]] },
    { one: ["A", "B", "c"], other: ["a", "X", "c"], values: [2, 1], from: [[1], [1], [1]] },
    { one: ["A", "B", "c"], other: ["a", "X", "c"], values: [2, 2], from: [[1], [1, 2], [1]] },
    { one: ["A", "B", "c"], other: ["a", "B", "C"], values: [1, 2], from: [[1], [1], [2]] },
    { one: ["A", "X", "Y"], other: ["a", "Z", "C"], values: [2, 1], from: [[1], [1], [1]] },
  ])("takes the texts of $one and $other, worth $values, from $from", ({ one, other, ...rest }) => {
    const [ofOne = 0, ofOther = 0] = rest.values;
    const drawn = (withSeed: number): readonly number[] =>
      proposed(
        [
          { from: [], texts: ["a", "b", "c"], scores: [0, 0, 0, 0, 0, 0] },
          { from: [0], texts: one, scores: [ofOne, ofOne, ofOne, 0, 0, 0] },
          { from: [0], texts: other, scores: [0, 0, 0, ofOther, ofOther, ofOther] },
        ],
        { seed: withSeed, skipsKnown: false },
      )?.sources ?? [];
    const all = seeds.map(drawn);
    expect(one.map((_, index) => [...new Set(all.map((from) => from[index]))].toSorted())).toEqual(
      rest.from,
    );
  });
});

describe("behaviour 17: which candidates are merged", () => {
  it("leaves a candidate and its ancestor alone", () => {
    const line: readonly Drawn[] = [
      { from: [], texts: ["a", "b"], scores: [0, 0, 0, 0, 0, 0] },
      { from: [0], texts: ["A", "b"], scores: [1, 1, 1, 0, 0, 0] },
      { from: [1], texts: ["A", "B"], scores: [0, 0, 0, 1, 1, 1] },
    ];
    for (const seed of seeds) expect(proposed(line, { seed, skipsKnown: false })).toBeNull();
  });

  it.each([
    { root: 0.5, one: [1, 1, 1, 0, 0, 0], other: [0, 0, 0, 1, 1, 1], isMerged: true },
    { root: 0.6, one: [1, 1, 1, 0, 0, 0], other: [0, 0, 0, 1, 1, 1], isMerged: false },
    { root: 0.5, one: [1, 0, 0, 0, 0, 0], other: [0, 1, 1, 1, 1, 1], isMerged: false },
    { root: 0.5, one: [1, 1, 1, 1, 1, 0], other: [0, 0, 0, 0, 0, 1], isMerged: false },
  ])(
    "with an ancestor worth $root, merges children with $one and $other: $isMerged",
    ({ root, one, other, isMerged }) => {
      const [seedOf, first, second] = family as [Drawn, Drawn, Drawn];
      const held = [
        { ...seedOf, scores: Array<number>(6).fill(root) },
        { ...first, scores: one },
        { ...second, scores: other },
      ];
      for (const seed of seeds) expect(proposed(held, { seed }) !== null).toBe(isMerged);
    },
  );

  it("leaves candidates alone of which neither changed a text that the other kept", () => {
    for (const [one, other] of [
      [
        ["A", "b"],
        ["X", "b"],
      ],
      [
        ["A", "b"],
        ["A", "b"],
      ],
      [
        ["A", "B"],
        ["X", "Y"],
      ],
    ] as const) {
      const [root, first, second] = family as [Drawn, Drawn, Drawn];
      const held = [root, { ...first, texts: one }, { ...second, texts: other }];
      for (const seed of seeds) expect(proposed(held, { seed, skipsKnown: false })).toBeNull();
    }
  });

  it("leaves candidates alone that the frontier can do without", () => {
    const [root, first, second] = family as [Drawn, Drawn, Drawn];
    const dominated = [root, { ...first, scores: [0, 0, 0, 0.5, 0.5, 0.5] }, second];
    for (const seed of seeds) expect(proposed(dominated, { seed, skipsKnown: false })).toBeNull();
  });

  it("merges only where enough examples have a score of both", () => {
    const [root, first, second] = family as [Drawn, Drawn, Drawn];
    const held = [root, { ...first, scores: [1, 1, 1, null, 0, 0] }, second];
    for (const seed of seeds) {
      expect(proposed(held, { seed, overlapFloor: 6 })).toBeNull();
      const child = proposed(held, { seed, overlapFloor: 5, subsample: 6 });
      expect(child?.exampleIds.toSorted()).toEqual(["v0", "v1", "v2", "v4", "v5"]);
    }
  });

  it("draws an ancestor with a chance proportional to its value", () => {
    const held: readonly Drawn[] = [
      { from: [], texts: ["a", "b", "c"], scores: [0.1, 0.1, 0.1, 0.1, 0.1, 0.1] },
      { from: [0], texts: ["a", "b", "C"], scores: [0.3, 0.3, 0.3, 0.3, 0.3, 0.3] },
      { from: [1], texts: ["A", "b", "C"], scores: [1, 1, 1, 0, 0, 0] },
      { from: [1], texts: ["a", "B", "C"], scores: [0, 0, 0, 1, 1, 1] },
    ];
    const draws = 2_000;
    const ancestors = Array.from(
      { length: draws },
      (_, seed) => proposed(held, { seed })?.ancestor,
    );
    const share = ancestors.filter((id) => id === 0).length / draws;
    expect(new Set(ancestors)).toEqual(new Set([0, 1]));
    // Five standard errors around 1 / 4.
    expect(Math.abs(share - 0.25)).toBeLessThan(5 * Math.sqrt((0.25 * 0.75) / draws));
  });

  it("defect D4: is not stopped by ancestors worth nothing, or less", () => {
    for (const [root, child] of [
      [0, 0],
      [-1, -1],
      [-2, -1],
      [0, -1],
    ] as const) {
      const held: readonly Drawn[] = [
        { from: [], texts: ["a", "b", "c"], scores: Array(6).fill(root) },
        { from: [0], texts: ["a", "b", "C"], scores: Array(6).fill(child) },
        { from: [1], texts: ["A", "b", "C"], scores: [1, 1, 1, 0, 0, 0] },
        { from: [1], texts: ["a", "B", "C"], scores: [0, 0, 0, 1, 1, 1] },
      ];
      const drawn = new Set(seeds.map((seed) => proposed(held, { seed })?.ancestor));
      expect(drawn.has(undefined)).toBe(false);
      expect(drawn).toEqual(new Set(root === child ? [0, 1] : [root > child ? 0 : 1]));
    }
  });
});

describe("behaviour 17: what commonAncestorMerge does not do twice", () => {
  it("proposes no pair again over the same ancestor, or with the same outcome over another", () => {
    const held: readonly Drawn[] = [
      { from: [], texts: ["a", "b", "c"], scores: Array(6).fill(0.1) },
      { from: [0], texts: ["a", "b", "C"], scores: Array(6).fill(0.2) },
      { from: [1], texts: ["A", "b", "C"], scores: [1, 1, 1, 0, 0, 0] },
      { from: [1], texts: ["a", "B", "C"], scores: [0, 0, 0, 1, 1, 1] },
    ];
    for (const seed of seeds) {
      const first = proposed(held, { seed }) as MergedChild;
      expect(first.sources).toEqual([2, 3, 2]);
      const history = { ...noMerges, proposed: [first] };
      for (const again of seeds) expect(proposed(held, { seed: again, history })).toBeNull();
      // The control: another outcome of the same pair over the other ancestor is no repetition.
      const other = { ...first, sources: [3, 3, 3] };
      const drawn = seeds.map((again) =>
        proposed(held, { seed: again, history: { ...noMerges, proposed: [other] } }),
      );
      expect(new Set(drawn.map((child) => child?.ancestor))).toEqual(
        new Set([first.ancestor === 0 ? 1 : 0]),
      );
    }
  });

  it("makes no candidate that there is already, unless it is told to", () => {
    const held = [...family, { from: [1], texts: ["A", "B"], scores: [0, 0, 0, 0, 0, 0] }];
    for (const seed of seeds) {
      expect(proposed(held, { seed })).toBeNull();
      expect(proposed(held, { seed, skipsKnown: false })).toMatchObject({ sources: [1, 2] });
    }
  });
});

describe("behaviour 17: the examples that a merged child is tried on", () => {
  it("are of each kind, first better, second better and equal, and none comes twice", () => {
    for (const seed of seeds) {
      const held = [0, 1, 2].map((id) => ({
        ...(family[id] as Drawn),
        scores: Array.from({ length: 12 }, (_, index) => (id === 0 ? 0 : scoreAt(id, index))),
      }));
      const ids = proposed(held, { seed, subsample: 5 })?.exampleIds ?? [];
      expect(new Set(ids).size).toBe(5);
      const gaps = ids.map((id) => Math.sign(gapAt(Number(id.slice(1)))));
      const count = (sign: number): number => gaps.filter((gap) => gap === sign).length;
      // Two of the first kind, two of the second, and what is left to five.
      expect([count(1), count(-1), count(0)]).toEqual([2, 2, 1]);
    }
  });

  it("are filled up from the other kinds where one has too few", () => {
    const [root, first, second] = family as [Drawn, Drawn, Drawn];
    const held = [
      { ...root, scores: [0, 0, 0, 0, 0, 0] },
      { ...first, scores: [1, 0, 0, 0, 0, 0] },
      { ...second, scores: [0, 1, 1, 1, 1, 1] },
    ];
    for (const seed of seeds) {
      const ids = proposed(held, { seed, subsample: 5 })?.exampleIds ?? [];
      expect(new Set(ids).size).toBe(5);
      expect(ids[0]).toBe("v0");
    }
  });

  it("are all that both have a score on, once, where there are no more", () => {
    const child = proposed(family, { seed: 3, subsample: 50 });
    expect(child?.exampleIds.toSorted()).toEqual(["v0", "v1", "v2", "v3", "v4", "v5"]);
  });
});

describe("defect D5: maxMerges", () => {
  const merge = commonAncestorMerge({ maxMerges: 2 });
  const history = { ...noMerges, due: 3, isNewSince: true };

  it("ends merging, however many are due", () => {
    expect([0, 1, 2, 3].map((accepted) => merge.isDue({ ...history, accepted }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([1, 2].map((accepted) => merge.isEarned({ ...history, accepted }))).toEqual([
      true,
      false,
    ]);
  });

  it("merges only what is due, and only right after reflection brought a candidate", () => {
    expect(merge.isDue({ ...history, due: 0 })).toBe(false);
    expect(merge.isDue({ ...history, isNewSince: false })).toBe(false);
  });
});

interface Proposed extends CommonAncestorMergeOptions {
  readonly seed: number;
  readonly history?: MergeHistory;
}

function proposed(
  drawn: readonly Drawn[],
  { seed, history = noMerges, ...options }: Proposed,
): MergedChild | null {
  return commonAncestorMerge(options).propose(viewOf(drawn, seed), history);
}

function viewOf(drawn: readonly Drawn[], seed: number): MergeView {
  const candidates = drawn.map(({ from, texts, scores }, id): CandidateRecord => {
    const byExample = Object.fromEntries(scores.map((score, index) => [`v${index}`, score]));
    return candidateOf(id, byExample, {
      parents: from,
      components: texts.map((value, index) => ({ kind: "instruction", path: `t${index}`, value })),
    });
  });
  const val = Object.keys(candidates[0]?.selection.scores ?? {});
  return { ...searchView({ candidates, seed }), val };
}

/**
 * Four examples on which candidate 1 is better, four on which 2 is, and four on which neither is.
 */
function scoreAt(id: number, index: number): number {
  if (index % 3 === 2) return 0.5;
  return index % 3 === id - 1 ? 1 : 0;
}

function gapAt(index: number): number {
  return scoreAt(1, index) - scoreAt(2, index);
}
