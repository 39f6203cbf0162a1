import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { MetricArguments, RankedPassage, Runnable } from "espalier";
import type { Evaluation } from "espalier/evaluate";
import { byCollection, evaluate } from "espalier/evaluate";
import { idkConditionedHarmonicMean } from "@espalier/judge";
import { metric, retrievalNdcg, scored } from "espalier/metric";
import { sharedData } from "../support/shared-data.ts";
import { thrownBy } from "../support/thrown-by.ts";
import { traceOf, unusedLm } from "./programs.ts";

/** Finds what it was told to find. */
const lookup = (
  found: Readonly<Record<string, readonly RankedPassage[]>>,
): Runnable<{ readonly question: string }, { readonly passages: readonly RankedPassage[] }> => ({
  name: "lookup",
  version: "1",
  inputProblem: () => null,
  attempt: async (input) => ({
    state: "completed",
    output: { passages: found[input.question] ?? [] },
    trace: traceOf(input),
  }),
});

const passage = (id: string, score = 1): RankedPassage => ({ id, text: id, score });
const task = (
  id: string,
  collection: string,
  relevant: Readonly<Record<string, number>> | undefined,
) => ({ id, input: { question: id }, labels: { collection, ...(relevant && { relevant }) } });
type Task = ReturnType<typeof task>;

const collectionOf = ({ labels }: Task): string => labels.collection;
const ndcg = retrievalNdcg({ k: 5, ranked: "passages", relevant: "relevant" });

const tasks = [
  task("c1", "cloud", { a: 1 }),
  task("c2", "cloud", { a: 1 }),
  task("c3", "cloud", { a: 1 }),
  task("f1", "fiqa", { a: 1 }),
  task("f2", "fiqa", undefined),
  task("g1", "govt", undefined),
];

async function evaluated(): Promise<Evaluation> {
  return evaluate({
    program: lookup({ c1: [passage("a")], f1: [passage("a")], f2: [passage("a")] }),
    examples: tasks,
    metric: ndcg,
    lm: unusedLm,
    resamples: 0,
  });
}

test("counts an example of several collections in each, and once in the plain mean", async () => {
  const figures = byCollection(await evaluated(), tasks, ({ id }) =>
    id === "c1" ? ["first", "c"] : id.slice(0, 1),
  );
  const { collections, all, plain } = figures["ndcg_cut_5"] ?? {};
  expect(collections).toEqual([
    { collection: "first", mean: 1, judged: 1, predictions: 1 },
    { collection: "c", mean: 0.33333, judged: 3, predictions: 3 },
    { collection: "f", mean: 1, judged: 1, predictions: 2 },
  ]);
  expect(all).toBeCloseTo((1 + 3 * 0.33333 + 2 * 1) / 6, 12);
  expect(plain).toBeCloseTo(2 / 4, 12);
});

test("rounds the means of collections and weighs them by predictions, unjudged ones included", async () => {
  expect(byCollection(await evaluated(), tasks, collectionOf)).toEqual({
    ndcg_cut_5: {
      collections: [
        // Two empty runs count 0.
        { collection: "cloud", mean: 0.33333, judged: 3, predictions: 3 },
        { collection: "fiqa", mean: 1, judged: 1, predictions: 2 },
      ],
      all: (0.33333 * 3 + 1 * 2) / 5,
      plain: 0.5,
    },
  });
});

test("takes a row that a fault left unscored for no prediction", async () => {
  const whole = await evaluated();
  const failure = { kind: "infrastructure", code: "lm-stalled", message: "Stalled." } as const;
  const rows = whole.rows.map((row) =>
    row.exampleId === "f2" ? { ...row, score: { kind: "unscored" as const, failure } } : row,
  );
  expect(byCollection({ ...whole, rows }, tasks, collectionOf)["ndcg_cut_5"]).toMatchObject({
    collections: [{ predictions: 3 }, { collection: "fiqa", predictions: 1 }],
    all: (0.33333 * 3 + 1) / 4,
  });
});

test("gives each objective its table, and an aggregate's rows none", async () => {
  const judge = ({ example }: MetricArguments<unknown, unknown, Task["labels"]>) => ({
    objectives: {
      agreement: { value: 0.5 },
      faithfulness: { value: example.labels.collection === "cloud" ? null : 0.25 },
    },
    answerability: "ANSWERABLE" as const,
    idk: 0 as const,
    clarification: 0 as const,
  });
  const objectives = ["agreement", "faithfulness"] as const;
  const evaluation = await evaluate({
    program: lookup({}),
    examples: tasks,
    metric: idkConditionedHarmonicMean({ name: "quality", version: "1", objectives, judge }),
    lm: unusedLm,
    resamples: 0,
  });
  const figures = byCollection(evaluation, tasks, collectionOf);
  expect(Object.keys(figures).toSorted()).toEqual(["agreement", "faithfulness"]);
  expect(figures["faithfulness"]?.collections.map(({ collection }) => collection)).toEqual([
    "fiqa",
    "govt",
  ]);
});

test("keeps the metric's own value where an objective bears its name", async () => {
  const named = metric({
    name: "recall",
    version: "1",
    score: () => scored(1, "", [], { recall: 0 }),
  });
  const evaluation = await evaluate({
    program: lookup({}),
    examples: tasks,
    metric: named,
    lm: unusedLm,
    resamples: 0,
  });
  expect(byCollection(evaluation, tasks, collectionOf)["recall"]?.plain).toBe(1);
});

test("refuses a row whose example was not given", async () => {
  const evaluation = await evaluated();
  const error = await thrownBy(() => byCollection(evaluation, tasks.slice(1), collectionOf));
  expect(error).toMatchObject({ code: "dataset-invalid" });
  expect(error.message).toContain("`c1`");
});

interface RecordedRun {
  readonly run: readonly (readonly [string, number])[];
  readonly qrels: Readonly<Record<string, number>>;
  readonly expected: { readonly ndcg_cut_5: number };
}
const fixtures = sharedData("mtrag-eval/retrieval_fixtures.jsonl");

test.skipIf(fixtures.isAbsent)(
  `aggregates recorded runs to what pytrec_eval's values of the queries give${fixtures.note}`,
  async () => {
    const lines = (await readFile(fixtures.file, "utf8")).trim().split("\n");
    const recorded = lines.map((line) => JSON.parse(line) as RecordedRun);
    // Every seventh is not judged, as the tasks of MTRAG without an answer are not.
    const examples = recorded.map(({ qrels }, index) =>
      task(`q${index}`, `c${index % 3}`, index % 7 === 0 ? undefined : qrels),
    );
    const runs = recorded.map(({ run }, index) => [
      `q${index}`,
      run.map(([id, score]) => passage(id, score)),
    ]);
    const evaluation = await evaluate({
      program: lookup(Object.fromEntries(runs) as Record<string, readonly RankedPassage[]>),
      examples,
      metric: ndcg,
      lm: unusedLm,
      resamples: 0,
    });
    const means = [0, 1, 2].map((number) => {
      const of = recorded.filter((_, index) => index % 3 === number && index % 7 !== 0);
      const sum = of.reduce((total, { expected }) => total + expected.ndcg_cut_5, 0);
      const predictions = recorded.filter((_, index) => index % 3 === number).length;
      return { mean: Number((sum / of.length).toFixed(5)), predictions };
    });
    const all =
      means.reduce((sum, { mean, predictions }) => sum + mean * predictions, 0) / recorded.length;
    const figures = byCollection(evaluation, examples, collectionOf)["ndcg_cut_5"];
    expect(figures?.collections).toMatchObject(means);
    expect(figures?.all).toBeCloseTo(all, 12);
    expect(figures?.all).not.toBeCloseTo(figures?.plain ?? NaN, 6);
  },
);
