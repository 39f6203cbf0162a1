import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ParetoFront } from "../../../src/optimizer/gepa/pareto-front.ts";
import { emptyFront, withCandidate } from "../../../src/optimizer/gepa/pareto-front.ts";
import { removeDominated } from "../../../src/optimizer/gepa/remove-dominated.ts";
import { frontFrequencies, paretoParent } from "../../../src/optimizer/gepa/pareto-parent.ts";
import { randomSource } from "../../../src/internal/index.ts";
import { sharedData } from "../../support/shared-data.ts";

type Scores = Readonly<Record<string, number | null>>;

describe("the front", () => {
  it("is the same, kept up candidate by candidate, as one made from scratch", () => {
    fc.assert(
      fc.property(scoreTable(), (table) => {
        expect(plain(frontOf(table))).toEqual(fromScratch(table));
      }),
    );
  });

  it("is not changed by what is added to a copy", () => {
    const before = frontOf([{ a: 1 }]);
    withCandidate(before, candidate(1, { a: 2, b: 0 }));
    expect(plain(before)).toEqual({ a: { best: 1, ids: [0] } });
  });
});

describe("removing dominated candidates", () => {
  it("gives what starting again after each removal gives", () => {
    fc.assert(
      fc.property(scoreTable(), (table) => {
        const front = frontOf(table);
        expect(removeDominated(front, meanOf(table))).toEqual(startingAgain(front, meanOf(table)));
      }),
    );
  });

  it("keeps a candidate for every example, and none that all examples can do without", () => {
    fc.assert(
      fc.property(scoreTable(), (table) => {
        const left = removeDominated(frontOf(table), meanOf(table));
        expect(left.every((ids) => ids.length > 0)).toBe(true);
        for (const id of new Set(left.flat())) {
          expect(left.some((ids) => ids.length === 1 && ids[0] === id)).toBe(true);
        }
      }),
    );
  });
});

describe("parents", () => {
  // Fronts a: {0, 1}, b: {1}, c: {2}, d: {1, 2}; 0 is dominated by 1.
  const table: readonly Scores[] = [
    { a: 1, b: 0, c: 0, d: 0 },
    { a: 1, b: 1, c: 0, d: 1 },
    { a: 0, b: 0, c: 1, d: 1 },
  ];

  it("are weighed by the number of fronts they are in, dominated ones not at all", () => {
    expect([...frontFrequencies(frontOf(table), meanOf(table))]).toEqual([
      [1, 3],
      [2, 2],
    ]);
  });

  it("are drawn with these weights", () => {
    const drawn = Array.from({ length: 2_000 }, (_, index) =>
      paretoParent(frontOf(table), meanOf(table), randomSource(1, "test", index)),
    );
    const share = drawn.filter((id) => id === 1).length / drawn.length;
    expect(new Set(drawn)).toEqual(new Set([1, 2]));
    // Five standard errors around 3 / 5.
    expect(Math.abs(share - 0.6)).toBeLessThan(5 * Math.sqrt(0.24 / 2_000));
  });
});

const golden = sharedData("../bench/gepa/golden.json");
const tasks = sharedData("../bench/gepa/task.json");

describe.skipIf(golden.isAbsent)(`recorded runs of gepa 0.1.4${golden.note}`, () => {
  it("have the fronts, values and best candidates that ours computes from their candidates", () => {
    const runs = read(golden.file) as readonly GoldenRun[];
    const { tasks: all } = read(tasks.file) as { readonly tasks: readonly GoldenTask[] };
    for (const run of runs) {
      const task = all.find(
        ({ seed, variant }) => seed === run.task_seed && variant === run.variant,
      );
      if (task === undefined) throw new Error("no such task");
      const examples = run.config === "val=train,cache" ? task.train : task.val;
      const table = run.candidates.map((texts) =>
        Object.fromEntries(examples.map((example) => [example.id, scoreOf(texts, example)])),
      );
      const front = frontOf(table);
      expect(examples.map(({ id }) => front.get(id)?.ids)).toEqual(run.pareto_front);
      const means = run.candidates.map((_, id) => meanOf(table)(id));
      for (const [id, mean] of means.entries()) {
        expect(mean).toBeCloseTo(run.val_aggregate_scores[id] ?? NaN, 8);
      }
      // Sums in another order round otherwise, so that equal means may tell two candidates apart.
      expect(means[run.best_idx]).toBeCloseTo(Math.max(...means), 12);
    }
    expect(runs).toHaveLength(416);
  });
});

interface GoldenExample {
  readonly id: string;
  readonly component: string;
  readonly required: readonly string[];
  readonly forbidden: readonly string[];
}

interface GoldenTask {
  readonly seed: number;
  readonly variant: string;
  readonly train: readonly GoldenExample[];
  readonly val: readonly GoldenExample[];
}

interface GoldenRun {
  readonly task_seed: number;
  readonly variant: string;
  readonly config: string;
  readonly best_idx: number;
  readonly candidates: readonly Readonly<Record<string, string>>[];
  readonly val_aggregate_scores: readonly number[];
  readonly pareto_front: readonly (readonly number[])[];
}

/** As the yardstick's specification says. */
function scoreOf(
  texts: Readonly<Record<string, string>>,
  { component, required, forbidden }: GoldenExample,
): number {
  const words = new Set((texts[component] ?? "").split(/\s+/));
  const share = (of: readonly string[]): number =>
    of.length === 0 ? 0 : of.filter((word) => words.has(word)).length / of.length;
  return Math.max(0, share(required) - 0.5 * share(forbidden));
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

function scoreTable(): fc.Arbitrary<readonly Scores[]> {
  const score = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
    fc.constant(null),
  );
  const row = fc.record({ a: score, b: score, c: score, d: score, e: score });
  return fc.array(row, { minLength: 1, maxLength: 12 });
}

function candidate(id: number, scores: Scores): Parameters<typeof withCandidate>[1] {
  return { id, selection: { value: 0, scores, coverage: 1 } };
}

function frontOf(table: readonly Scores[]): ParetoFront {
  return table.reduce(
    (front, scores, id) => withCandidate(front, candidate(id, scores)),
    emptyFront,
  );
}

function plain(front: ParetoFront): object {
  return Object.fromEntries(front);
}

function fromScratch(table: readonly Scores[]): object {
  const names = [...new Set(table.flatMap((scores) => Object.keys(scores)))];
  return Object.fromEntries(
    names.flatMap((name) => {
      const held = table.flatMap((scores, id) => {
        const score = scores[name] ?? null;
        return score === null ? [] : [{ id, score }];
      });
      if (held.length === 0) return [];
      const best = Math.max(...held.map(({ score }) => score));
      const ids = held.filter(({ score }) => score === best).map(({ id }) => id);
      return [[name, { best, ids }]];
    }),
  );
}

function meanOf(table: readonly Scores[]): (id: number) => number {
  return (id) => {
    const scores = Object.values(table[id] ?? {}).filter((score) => score !== null);
    return scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  };
}

/** The reference's way, word for word: look again from the start after each removal. */
function startingAgain(
  front: ParetoFront,
  valueOf: (id: number) => number,
): readonly (readonly number[])[] {
  const fronts = [...front.values()].map(({ ids }) => ids);
  const order = [...new Set(fronts.flat())].toSorted(
    (one, other) => valueOf(one) - valueOf(other) || one - other,
  );
  const dropped = new Set<number>();
  for (;;) {
    const next = order.find(
      (id) =>
        !dropped.has(id) &&
        fronts
          .filter((ids) => ids.includes(id))
          .every((ids) => ids.some((other) => other !== id && !dropped.has(other))),
    );
    if (next === undefined) return fronts.map((ids) => ids.filter((id) => !dropped.has(id)));
    dropped.add(next);
  }
}
