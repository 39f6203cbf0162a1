import { expect, test } from "vitest";
import taskA from "../../../optimizers/experiments/ails-ntua-task-a.ts";
import { workOfRow } from "./work-of-row.ts";

const inTheirOrder = [
  "rewriteMinimally",
  "rewriteForEncyclopedia",
  "rewriteStepByStep",
  "writeHypotheticalPassage",
  "rewriteWithKeywords",
];

test("the rows of table 4 add one rewriter after another, and rerank nothing", async () => {
  for (const count of [1, 2, 3, 4, 5]) {
    const { paths } = await workOfRow(taskA, `rewriters-${count}`);
    const searches = paths.filter((path) => path.startsWith("bm25["));
    expect(paths).toEqual([...inTheirOrder.slice(0, count), ...searches]);
  }
  expect((await workOfRow(taskA, "no-rewriting")).paths).toEqual(["bm25"]);
  const { paths: whole } = await workOfRow(taskA, "ails-ntua");
  expect(whole.some((path) => path.startsWith("lexical"))).toBe(true);
});

test("each row of table 4 stands against the one before it", () => {
  const rows = taskA.rows.filter(({ name }) => name.startsWith("rewriters-"));
  expect(rows.map(({ against }) => against)).toEqual([
    "no-rewriting",
    ...rows.slice(0, -1).map(({ name }) => name),
  ]);
});

test.each([
  ["ails-ntua", 10, ["recall_10"]],
  ["top-100", 100, ["recall_10", "recall_50", "recall_100"]],
  ["ensemble-100", 100, ["recall_10", "recall_50", "recall_100"]],
])("the row %s returns %i passages, and reports recall no deeper", async (name, count, depths) => {
  const { output, score } = await workOfRow(taskA, name);
  expect((output as { readonly passages: readonly unknown[] }).passages).toHaveLength(count);
  const { objectives = {} } = score as { readonly objectives?: object };
  expect(Object.keys(objectives)).toEqual(["ndcg_cut_5", ...depths]);
});
