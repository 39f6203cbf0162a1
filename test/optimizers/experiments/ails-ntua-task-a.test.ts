import { expect, test } from "vitest";
import { rehearsalLm } from "@espalier/rehearsal";
import taskA from "../../../optimizers/experiments/ails-ntua-task-a.ts";
import { rehearsalParts } from "../../support/rehearsal-parts.ts";

/** What a row asks and searches about a turn that is not the first of its conversation. */
async function workOf(name: string): Promise<readonly string[]> {
  const { study: made } = taskA.rows.find((row) => row.name === name) ?? {};
  if (typeof made !== "function") throw new Error(`no row ${name} that takes parts`);
  const { program, trainset } = await made(rehearsalParts());
  const later = trainset.splits.test.find(
    ({ input }) => (input as { readonly history: readonly unknown[] }).history.length > 0,
  );
  const { trace } = await program.attempt(later?.input, { lm: rehearsalLm(), exampleId: "one" });
  return trace.children.map(({ path }) => path);
}

const inTheirOrder = [
  "rewriteMinimally",
  "rewriteForEncyclopedia",
  "rewriteStepByStep",
  "writeHypotheticalPassage",
  "rewriteWithKeywords",
];

test("the rows of table 4 add one rewriter after another, and rerank nothing", async () => {
  for (const count of [1, 2, 3, 4, 5]) {
    const work = await workOf(`rewriters-${count}`);
    const searches = work.filter((path) => path.startsWith("bm25["));
    expect(work).toEqual([...inTheirOrder.slice(0, count), ...searches]);
  }
  expect(await workOf("no-rewriting")).toEqual(["bm25"]);
  expect((await workOf("ails-ntua")).some((path) => path.startsWith("lexical"))).toBe(true);
});

test("each row of table 4 stands against the one before it", () => {
  const rows = taskA.rows.filter(({ name }) => name.startsWith("rewriters-"));
  expect(rows.map(({ against }) => against)).toEqual([
    "no-rewriting",
    ...rows.slice(0, -1).map(({ name }) => name),
  ]);
});
