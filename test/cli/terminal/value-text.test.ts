import { expect, it, vi } from "vitest";
import type { CandidateRecord, OptimizerEvent } from "espalier/optimizer";
import { optimizerProgressLine } from "../../../src/cli/optimize/run-search.ts";
import { valueText } from "../../../src/cli/terminal/search-text.ts";

const candidateOf = (id: number, selection: object) =>
  ({
    id,
    components: [],
    parents: id === 0 ? [] : [0],
    iteration: id,
    changed: [],
    learntFrom: [],
    selection,
    acceptance: { by: "seed", detail: "" },
    metricCallsBefore: 0,
  }) as unknown as CandidateRecord;
const seed = candidateOf(0, { value: 0.5, scores: { v0: 1, v1: 0, v2: null }, coverage: 1 });
const child = candidateOf(1, { value: 0.75, seen: 2, scores: { v0: 1, v1: 0 }, coverage: 1 });
const shown = "0.7500 (estimate from 2 of 3 examples of val)";

it("an estimate says on how many of val's examples it rests, and of how many", () => {
  expect(valueText(seed.selection, seed)).toBe("0.5000");
  expect(valueText(child.selection, seed)).toBe(shown);
  // What the search expects may differ from the mean over all of val.
  const ofAll = { ...child.selection, seen: 3 };
  expect(valueText(ofAll, seed)).toBe("0.7500 (estimate from 3 of 3 examples of val)");
});

it("is one on all of val too where the seed's value is an estimate", () => {
  const estimated = candidateOf(0, { ...seed.selection, seen: 1 });
  const said = (seen: number) => valueText({ ...child.selection, seen }, estimated);
  // The seed was not run on all of val, so it does not tell how many these are.
  expect([1, 2].map(said)).toEqual([
    "0.7500 (estimate from 1 example of val)",
    "0.7500 (estimate from 2 examples of val)",
  ]);
});

it("is never shown outside of what scores can be, and says where nothing was run", () => {
  const sure = { ...child.selection, value: 1.0184, seen: 0, scores: {} };
  expect(valueText(sure, seed)).toBe("1.0000 (estimate, not run on val)");
  // Scores beyond 1 show that a mean may be, too.
  const counted = { ...sure, scores: { v0: 3 } };
  expect(valueText(counted, seed)).toBe("1.0184 (estimate, not run on val)");
});

it("so does the line that tells of an accepted candidate", () => {
  const said: string[] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((text: string) => {
    said.push(text);
  });
  using line = optimizerProgressLine("recall");
  for (const record of [seed, child]) {
    const { id: candidate, iteration, parents } = record;
    const value = record.selection.value;
    line.onEvent({
      kind: "candidate-accepted",
      iteration,
      candidate,
      parents,
      value,
      record,
    } satisfies OptimizerEvent);
  }
  spy.mockRestore();
  expect(said).toEqual([
    "before: recall 0.5000 on val",
    `iteration 1, candidate 1: recall ${shown}`,
  ]);
});
