import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { FrontierKind, Selection } from "espalier/optimizer";
import { optimizeTexts } from "espalier/optimizer";
import { randomSource } from "../../../src/internal/index.ts";
import { frontier } from "../../../src/optimizer/gepa/strategy/frontier.ts";
import { sharedData } from "../../support/shared-data.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import type { YardstickTask } from "../../support/yardstick/yardstick-task.ts";
import { yardstickScore } from "../../support/yardstick/yardstick-task.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import type { Scores } from "./support/search-view.ts";
import { meanOf, scoreTable } from "./support/search-view.ts";
import { gepaWith } from "../support/gepa-with.ts";

const kinds: readonly FrontierKind[] = ["instance", "hybrid"];
const seeds = Array.from({ length: 100 }, (_, seed) => seed);

describe.each(kinds)("the fronts of kind %s", (kind) => {
  it("are the same, kept up candidate by candidate, as made from scratch", () => {
    for (const seed of seeds) {
      const selections = scoreTable(seed).map((scores, id) => withObjectives(scores, seed + id));
      const held = frontier(kind);
      for (const [id, selection] of selections.entries()) {
        held.add({ id, selection });
        const fronts = Object.fromEntries(
          held.fronts().map(({ key, best, ids }) => [key, { best, ids }]),
        );
        expect(fronts).toEqual(fromScratch(selections.slice(0, id + 1), kind));
      }
    }
  });
});

describe("behaviour 10: a frontier", () => {
  const selections = [
    {
      scores: { q1: 1, q2: 0.5 },
      objectives: { recall: 0.5, thrift: 0.75 },
      objectiveScores: { q1: { recall: 1, thrift: 0.5 }, q2: { recall: 0, thrift: 1 } },
    },
    {
      scores: { q1: 0.5, q2: 0.5 },
      objectives: { recall: 0.75, thrift: 0.5 },
      objectiveScores: { q1: { recall: 1, thrift: 0 }, q2: { recall: 0.5, thrift: 1 } },
    },
  ].map((given) => ({ value: meanOf(given.scores), coverage: 1, ...given }));

  it.each([
    ["instance", ["example q1: 0", "example q2: 0,1"]],
    ["hybrid", ["example q1: 0", "example q2: 0,1", "objective recall: 1", "objective thrift: 0"]],
  ] as const)("of kind %s maps what it compares to those that are best at it", (kind, expected) => {
    const held = frontier(kind);
    for (const [id, selection] of selections.entries()) held.add({ id, selection });
    const shown = held
      .fronts()
      .map(({ key, ids }) => `${key.replaceAll("\n", " ")}: ${ids.join()}`);
    expect(shown).toEqual(expected);
  });

  it.each(kinds.filter((kind) => kind !== "instance"))(
    "of kind %s refuses a candidate without objectives, and holds nothing of it (defect D9)",
    async (kind) => {
      const held = frontier(kind);
      for (const [id, selection] of selections.entries()) held.add({ id, selection });
      const before = structuredClone(held.fronts());
      const { objectives: _, objectiveScores: __, ...without } = selections[0]!;
      const better = { ...without, scores: { q1: 2, q2: 2 } };
      expect((await thrownBy(() => held.add({ id: 2, selection: better }))).code).toBe(
        "option-invalid",
      );
      expect(held.fronts()).toEqual(before);
    },
  );

  it("over objectives fails at the seed where the metric gives none", async () => {
    const { task, calls } = keywordTask();
    const run = optimizeTexts(task, {
      optimizer: gepaWith({ frontier: "hybrid", proposer: directedProposer() }),
      budget: { metricCalls: 200 },
    });
    const error = await thrownBy(async () => run);
    expect(error.code).toBe("option-invalid");
    expect(error.message).toContain("the metric returned none");
    expect(calls).toHaveLength(Object.keys(task.val).length);
  });

  it.each(kinds)("of kind %s carries a run whose metric gives objectives", async (frontier) => {
    const { task } = keywordTask({ hasObjectives: true });
    const { candidates } = await optimizeTexts(task, {
      optimizer: gepaWith({ frontier, proposer: directedProposer() }),
      budget: { metricCalls: 150 },
    });
    expect(candidates.length).toBeGreaterThan(2);
    for (const { selection } of candidates) {
      expect(selection.objectives?.["score"]).toBeCloseTo(selection.value, 12);
      expect(Object.keys(selection.objectiveScores ?? {})).toEqual(Object.keys(task.val));
    }
  });
});

describe("frequencies", () => {
  it("are computed once for all draws between two candidates that are added", () => {
    const held = frontier("instance");
    let looks = 0;
    const valueOf = (): number => ++looks;
    const table = Array.from({ length: 5 }, (_, id) => ({ a: 1, b: id }));
    for (const [id, scores] of table.entries()) {
      held.add({ id, selection: { value: 0, scores, coverage: 1 } });
      held.frequencies(valueOf);
      const once = looks;
      for (let draw = 0; draw < 10; draw++) held.frequencies(valueOf);
      expect(looks).toBe(once);
    }
    expect(looks).toBeGreaterThan(0);
  });

  it("count the fronts that a candidate is in once dominated ones are gone", () => {
    // Fronts a: {0, 1}, b: {1}, c: {2}, d: {1, 2}; 0 can be done without.
    const table: readonly Scores[] = [
      { a: 1, b: 0, c: 0, d: 0 },
      { a: 1, b: 1, c: 0, d: 1 },
      { a: 0, b: 0, c: 1, d: 1 },
    ];
    const held = frontier("instance");
    for (const [id, scores] of table.entries()) {
      held.add({ id, selection: { value: 0, scores, coverage: 1 } });
    }
    expect([...held.frequencies((id) => meanOf(table[id]))]).toEqual([
      [1, 3],
      [2, 2],
    ]);
  });
});

const golden = sharedData("../bench/gepa/golden.json");
const tasks = sharedData("../bench/gepa/task.json");

describe.skipIf(golden.isAbsent)(`recorded runs of gepa 0.1.4${golden.note}`, () => {
  it("have the fronts, values and best candidates that ours computes from their candidates", () => {
    const runs = read(golden.file) as readonly GoldenRun[];
    const { tasks: all } = read(tasks.file) as { readonly tasks: readonly YardstickTask[] };
    for (const run of runs) {
      const task = all.find(
        ({ seed, variant }) => seed === run.task_seed && variant === run.variant,
      );
      if (task === undefined) throw new Error("no such task");
      const examples = run.config === "val=train,cache" ? task.train : task.val;
      const held = frontier("instance");
      const means = run.candidates.map((texts, id) => {
        const scores = Object.fromEntries(
          examples.map((example) => [example.id, yardstickScore(task.variant, example, texts)]),
        );
        held.add({ id, selection: { value: 0, scores, coverage: 1 } });
        return meanOf(scores);
      });
      const byKey = new Map(held.fronts().map(({ key, ids }) => [key, ids]));
      expect(examples.map(({ id }) => byKey.get(`example\n${id}`))).toEqual(run.pareto_front);
      for (const [id, mean] of means.entries()) {
        expect(mean).toBeCloseTo(run.val_aggregate_scores[id] ?? NaN, 8);
      }
      // Sums in another order round otherwise, so that equal means may tell two candidates apart.
      expect(means[run.best_idx]).toBeCloseTo(Math.max(...means), 12);
    }
    expect(runs).toHaveLength(416);
  });
});

interface GoldenRun {
  readonly task_seed: number;
  readonly variant: string;
  readonly config: string;
  readonly best_idx: number;
  readonly candidates: readonly Readonly<Record<string, string>>[];
  readonly val_aggregate_scores: readonly number[];
  readonly pareto_front: readonly (readonly number[])[];
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

function withObjectives(scores: Scores, seed: number): Selection {
  const draws = randomSource(seed, "objectives");
  const objectiveScores = Object.fromEntries(
    Object.keys(scores).map((id) => [id, { recall: draws.below(3), thrift: draws.below(3) }]),
  );
  const objectives = { recall: draws.below(3), thrift: draws.below(3) };
  return { value: meanOf(scores), scores, coverage: 1, objectives, objectiveScores };
}

function fromScratch(selections: readonly Selection[], kind: FrontierKind): object {
  const compared = selections.map(({ scores, objectives }) => ({
    ...keyed(scores, "example"),
    ...(kind === "hybrid" ? keyed(objectives ?? {}, "objective") : {}),
  })) as readonly Scores[];
  const keys = [...new Set(compared.flatMap((scores) => Object.keys(scores)))];
  return Object.fromEntries(
    keys.flatMap((key) => {
      const held = compared.map((scores) => scores[key] ?? -Infinity);
      const best = Math.max(...held);
      const ids = held.flatMap((score, id) => (score === best ? [id] : []));
      return best === -Infinity ? [] : [[key, { best, ids }]];
    }),
  );
}

function keyed(scores: Scores, prefix: string): Scores {
  return Object.fromEntries(
    Object.entries(scores).map(([key, score]) => [`${prefix}\n${key}`, score]),
  );
}
