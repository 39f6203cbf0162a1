import { describe, expect, test } from "vitest";
import type { Breakdown, Example } from "espalier";
import { experiment, predict, program, signature, study, text } from "espalier";
import { evaluate } from "espalier/evaluate";
import { metric, notApplicable, scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import { rehearsalLm } from "@espalier/rehearsal";
import { experimentTable, tableMarkdown } from "../../src/experiment/index.ts";
import { conversationBreakdowns } from "../../optimizers/experiments/support/conversation-breakdowns.ts";

interface Labels {
  readonly points: number | null;
  readonly types: readonly string[];
}

function row(id: string, cluster: string, points: number | null, types: readonly string[]) {
  return { id, cluster, input: { question: id }, labels: { points, types } };
}

const rows: readonly Example<{ readonly question: string }, Labels>[] = [
  row("a", "1", 1, ["how", "why"]),
  row("b", "1", 0, ["why"]),
  row("c", "2", null, ["why"]),
  row("d", "3", 0.5, ["how"]),
  row("e", "3", null, []),
];

const unasked = signature({
  name: "unasked",
  instruction: "Repeat the question.",
  input: { question: text("question", "What is asked.") },
  output: { answer: text("answer", "The same.") },
});

const pointed = study({
  name: "pointed",
  program: program({
    name: "echo",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer") },
    predictors: { unasked: predict(unasked) },
    forward: async ({ question }) => ({ answer: question as never }),
  }),
  trainset: trainset({
    name: "points",
    version: "1",
    licence: "CC0-1.0",
    source: "tests",
    splits: { test: rows },
  }),
  objective: metric({
    name: "points",
    version: "1",
    score: ({ example: { labels } }) =>
      (labels as Labels).points === null
        ? notApplicable("has none")
        : scored((labels as Labels).points ?? 0),
  }),
});

async function tableBy(breakdown: Breakdown) {
  const { program: echo, objective, trainset: set } = pointed;
  const examples = set.splits.test;
  const result = await evaluate({ program: echo, examples, metric: objective, lm: rehearsalLm() });
  const costs = { metricCalls: 5, lmCalls: 0, promptTokens: 0, completionTokens: 0 };
  const outcome = {
    name: "one",
    study: pointed,
    examples,
    lms: {},
    mocks: [],
    costs: { ...costs, billedCalls: 0, usd: null, seconds: 1 },
    result,
  };
  const declared = experiment({
    name: "points",
    title: "Points",
    source: "tests",
    breakdowns: [breakdown],
    rows: [{ name: "one", study: pointed }],
  });
  return experimentTable(declared, [outcome], { seed: 0, resamples: 200 });
}

describe("a table by groups", () => {
  test.each<[string, Breakdown["by"]]>([
    ["a label that holds a list", "types"],
    ["a function that returns one", ({ example }) => (example.labels as Labels).types],
  ])("counts an example in each of the groups that %s names", async (_, by) => {
    const [breakdown] = (await tableBy({ name: "type", by })).breakdowns;
    expect(
      breakdown?.groups.map(({ group, examples, figures: [figure] }) => ({
        group,
        examples,
        value: figure?.value,
        scored: figure?.scored,
        clusters: figure?.clusters,
        isSpread: figure?.interval !== null,
      })),
    ).toEqual([
      { group: "how", examples: 2, value: 0.75, scored: 2, clusters: 2, isSpread: true },
      { group: "why", examples: 3, value: 0.5, scored: 2, clusters: 1, isSpread: false },
    ]);
  });

  test("says of how many clusters the scored examples are, as the interval is of these", async () => {
    const markdown = tableMarkdown(await tableBy({ name: "type", by: "types" }));
    expect(markdown).toContain("| 3 of 5 in 2 clusters |");
    expect(markdown).toMatch(
      /\| why .*fewer than two independent groups of examples\) \| 2 of 3 in 1 cluster \|/,
    );
  });

  test("refuses a list that holds something else than names", async () => {
    const by = (() => ["how", 3]) as unknown as Breakdown["by"];
    await expect(tableBy({ name: "type", by })).rejects.toMatchObject({
      code: "experiment-invalid",
    });
  });
});

test("a turn of MTRAG counts for each of its question types, and of four shelves for its one", () => {
  const by = conversationBreakdowns.find(({ name }) => name === "question type")?.by;
  if (typeof by !== "function") throw new Error("not a function");
  const typesOf = (labels: object) =>
    by({ example: { id: "a", input: {}, labels }, score: { kind: "scored", value: 1 } });
  expect(
    typesOf({ questionType: "Factoid+Opinion", questionTypes: ["Factoid", "Opinion"] }),
  ).toEqual(["Factoid", "Opinion"]);
  expect(typesOf({ questionType: "lookup" })).toBe("lookup");
});
