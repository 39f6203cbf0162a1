import { expect, test } from "vitest";
import type { RankedPassage, TraceNode } from "espalier";
import ablation from "../../../optimizers/experiments/notes-guided-ablation.ts";
import { workOfRow } from "./work-of-row.ts";

/** What a row's rounds ask, and whether any search is dense or any passage reranked. */
async function roundsOf(row: string) {
  const { trace, output } = await workOfRow(ablation, row);
  const rounds = trace.children.filter((node) => node.kind === "scope");
  const nodes: readonly TraceNode[] = [...trace.children, ...rounds.flatMap((one) => one.children)];
  const paths = nodes.map(({ path }) => path);
  const notes = nodes.filter(
    (node) => node.kind === "predictor" && node.predictor === "buildNotes",
  );
  return {
    rounds: rounds.length,
    notes: notes.length,
    isDense: paths.some((path) => /dense/.test(path)),
    isReranked: paths.some((path) => /lexical/.test(path)),
    passages: (output as { readonly passages: readonly RankedPassage[] }).passages.length,
  };
}

test.each([1, 2, 3, 4, 5])(
  "the row rounds-%i searches in as many, with notes between",
  async (count) => {
    const expected = { rounds: count, notes: count - 1, isDense: true, isReranked: true };
    expect(await roundsOf(`rounds-${count}`)).toMatchObject(expected);
  },
);

test.each([
  ["without-dense", { isDense: false, isReranked: true }],
  ["without-reranker", { isDense: true, isReranked: false }],
])("the row %s lacks that part alone, and finds as much", async (row, expected) => {
  expect(await roundsOf(row)).toEqual({ rounds: 3, notes: 2, passages: 10, ...expected });
});

test("the row notes-of-last-round reads the notes of one round", async () => {
  const notesIn = async (row: string) => {
    const { trace } = await workOfRow(ablation, row);
    const third = trace.children.find(({ path }) => path === "hop[3]");
    const [asked] = third?.kind === "scope" ? third.children : [];
    return asked?.kind === "predictor" ? JSON.stringify(asked.inputs["notes"]).slice(1, -1) : "";
  };
  const [last, all] = [await notesIn("notes-of-last-round"), await notesIn("rounds-3")];
  expect(last).not.toBe("");
  expect(all).toContain(last);
  expect(all.length).toBeGreaterThan(last.length);
});
