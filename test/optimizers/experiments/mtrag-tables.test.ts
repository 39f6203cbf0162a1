import { expect, test } from "vitest";
import type { Experiment } from "espalier";
import taskA from "../../../optimizers/experiments/ails-ntua-task-a.ts";
import taskB from "../../../optimizers/experiments/ails-ntua-task-b.ts";
import taskC from "../../../optimizers/experiments/ails-ntua-task-c.ts";
import harmonicMean from "../../../optimizers/experiments/notes-guided-harmonic-mean.ts";
import history from "../../../optimizers/experiments/ails-ntua-history.ts";
import alternatives from "../../../optimizers/experiments/ails-ntua-alternatives.ts";
import baselines from "../../../optimizers/experiments/mtrag-baselines.ts";
import notesGuided from "../../../optimizers/experiments/notes-guided-task-c.ts";
import recall from "../../../optimizers/experiments/notes-guided-recall.ts";
import { publishedOn } from "../../../src/experiment/published-figure.ts";

function figuresOn(table: Experiment, trainset: string, objective: string) {
  const shown = table.rows.flatMap(({ published = [] }) =>
    publishedOn(published, { trainset, objective }),
  );
  return shown.map(({ value, of }) => `${of}: ${value}`);
}

test.each([
  [taskA, "mtrag", "recall_5", "table 15, R@5 of BM25: 0.444"],
  [taskA, "mtrag", "recall_5", "table 4, R@5: 0.558"],
  [taskA, "mtrag-un", "recall_5", "table 13, nDCG@5: 0.5776"],
  [history, "mtrag", "recall_5", "table 18, R@5: 0.533"],
  [taskA, "mtrag", "recall_5", "table 15, R@100 of BM25: 0.735"],
  [taskA, "mtrag", "recall_5", "table 21, R@100: 0.925"],
  [taskA, "mtrag", "recall_5", "table 25, R@5: 0.629"],
  [taskA, "mtrag", "recall_5", "table 27, R@5: 0.564"],
  [alternatives, "mtrag", "recall_5", "table 16, R@5: 0.513"],
  [alternatives, "mtrag", "recall_5", "table 20, R@5 of PIR by minimal rewrite: 0.52"],
  [alternatives, "mtrag", "recall_5", "table 23, R@10: 0.688"],
  [baselines, "mtrag", "recall_5", "table 14, R@5: 0.153"],
  [baselines, "mtrag", "recall_5", "table 16, R@5: 0.521"],
  [baselines, "mtrag", "recall_5", "table 22, R@5: 0.481"],
  [baselines, "mtrag", "recall_5", "table 26, R@5: 0.637"],
  [taskB, "mtrag-with-passages", "harmonic_mean", "table 5, HM: 0.743"],
  [taskB, "mtrag-with-passages", "harmonic_mean", "table 34, HM: 0.733"],
  [taskB, "mtrag-un-with-passages", "harmonic_mean", "table 13, HM: 0.7698"],
  [taskC, "mtrag", "harmonic_mean", "table 39, HM: 0.61"],
  [taskC, "mtrag", "harmonic_mean", "table 39, HM: 0.518"],
  [taskC, "mtrag-un", "harmonic_mean", "table 13, HM: 0.5409"],
  [notesGuided, "mtrag-un", "harmonic_mean", "table 2, HM: 0.3774"],
  [harmonicMean, "mtrag-un", "harmonic_mean", "table 2, HM: 0.3774"],
  [recall, "mtrag-un", "recall_10", "table 1, nDCG@5: 0.4502"],
])("$name on %s has the figures of that release alone", (table, trainset, objective, figure) => {
  const [first, un] = trainset.includes("un")
    ? [trainset.replace("-un", ""), trainset]
    : [trainset, trainset.replace("mtrag", "mtrag-un")];
  const other = trainset === un ? first : un;
  expect(figuresOn(table, trainset, objective)).toContain(figure);
  expect(figuresOn(table, other, objective)).not.toContain(figure);
  expect(figuresOn(table, "four-shelves", objective)).toEqual([]);
});

test.each([
  history,
  alternatives,
  baselines,
  taskA,
  taskB,
  taskC,
  notesGuided,
  harmonicMean,
  recall,
])("$name: what is said to differ names the release of the figure", ({ rows }) => {
  const published = rows.flatMap((row) => row.published ?? []);
  expect(published.length).toBeGreaterThan(0);
  for (const { trainset = "", differs } of published) {
    if (differs === "the same system and data") continue;
    expect(differs.includes("MTRAG-UN")).toBe(trainset.startsWith("mtrag-un"));
  }
});
