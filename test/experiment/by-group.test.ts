import { describe, expect, test } from "vitest";
import { evaluate } from "espalier/evaluate";
import { idkConditionedHarmonicMean } from "@espalier/judge";
import type { Evaluation } from "espalier/evaluate";
import type { Example, Metric } from "espalier";
import { predict, program, signature, text } from "espalier";
import { rehearsalLm } from "@espalier/rehearsal";
import { byGroup } from "../../src/experiment/breakdown-table.ts";

type Labels = { readonly idk: 0 | 0.5 | 1; readonly faithful: number };

const examples: readonly Example<{ readonly question: string }, Labels>[] = [
  { id: "a", cluster: "1", input: { question: "a" }, labels: { idk: 0, faithful: 0.9 } },
  { id: "b", cluster: "1", input: { question: "b" }, labels: { idk: 0, faithful: 0.3 } },
  { id: "c", cluster: "2", input: { question: "c" }, labels: { idk: 0.5, faithful: 0.5 } },
  { id: "d", cluster: "3", input: { question: "d" }, labels: { idk: 1, faithful: 0.8 } },
  { id: "e", cluster: "3", input: { question: "e" }, labels: { idk: 0, faithful: 0.6 } },
];

const quality: Metric<{ readonly question: string }, { readonly answer: string }, Labels> =
  idkConditionedHarmonicMean({
    name: "quality",
    version: "1",
    objectives: ["faithful", "half"],
    judge: ({ example: { labels } }) => ({
      answerability: "ANSWERABLE",
      idk: labels.idk,
      clarification: 0,
      objectives: { faithful: { value: labels.faithful }, half: { value: 0.5 } },
    }),
  });

const unasked = signature({
  name: "unasked",
  instruction: "Repeat the question.",
  input: { question: text("question", "What is asked.") },
  output: { answer: text("answer", "The same.") },
});

const echo = program({
  name: "echo",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer") },
  predictors: { unasked: predict(unasked) },
  forward: async ({ question }) => ({ answer: question as never }),
});

async function evaluated(): Promise<Evaluation> {
  return evaluate({ program: echo, examples, metric: quality, lm: rehearsalLm() });
}

describe("groups of an evaluation", () => {
  test("have the metric's own aggregate over their rows, by the judge's verdict", async () => {
    const evaluation = await evaluated();
    const groups = byGroup(evaluation, {
      examples,
      metric: quality,
      groupsOf: ({ score }) =>
        score.kind === "scored" ? [score.verdicts?.["idk"] ?? []].flat() : [],
    });
    expect([...groups.keys()]).toEqual(["0", "0.5", "1"]);
    // Harmonic mean of the two means: (.9 + .3 + .6) / 3 = .6 and .5.
    expect(groups.get("0")?.value).toBeCloseTo((2 * 0.6 * 0.5) / (0.6 + 0.5), 12);
    expect(groups.get("0")?.objectives["faithful"]).toBeCloseTo(0.6, 12);
    expect(groups.get("0")?.interval).not.toBeNull();
    // A single cluster shows no spread, and an answer that declined wrongly counts nothing.
    expect(groups.get("0.5")).toMatchObject({ value: 0.5, interval: null });
    expect(groups.get("1")).toMatchObject({ value: 0, counts: { scored: 1 } });
  });

  test("count a row in each of its groups, once, and resample the clusters of each", async () => {
    const metric = quality;
    const types: Readonly<Record<string, readonly string[]>> = {
      a: ["how", "why"],
      b: ["why", "why"],
      e: ["how"],
    };
    const groups = byGroup(await evaluated(), {
      examples,
      metric,
      groupsOf: (_row, { id }) => types[id] ?? [],
    });
    const ids = [...groups].map(([group, { rows }]) => [group, rows.map((row) => row.exampleId)]);
    expect(ids).toEqual([
      ["how", ["a", "e"]],
      ["why", ["a", "b"]],
    ]);
    expect(groups.get("how")?.objectives["faithful"]).toBeCloseTo((0.9 + 0.6) / 2, 12);
    expect(groups.get("how")?.interval).not.toBeNull();
    expect(groups.get("why")?.objectives["faithful"]).toBeCloseTo((0.9 + 0.3) / 2, 12);
    expect(groups.get("why")?.interval).toBeNull();
  });

  test("leave out rows without a group, and refuse examples that are not theirs", async () => {
    const evaluation = await evaluated();
    const metric = quality;
    const groups = byGroup(evaluation, {
      examples,
      metric,
      groupsOf: (_row, { id }) => (id === "a" ? ["first"] : []),
    });
    expect([...groups].map(([group, { rows }]) => [group, rows.length])).toEqual([["first", 1]]);
    expect(() => byGroup(evaluation, { examples: [], metric, groupsOf: () => ["all"] })).toThrow(
      "belongs to an example that was not passed",
    );
  });
});
