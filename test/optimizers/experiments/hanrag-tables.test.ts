import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import type { Score } from "espalier";
import ablation from "../../../optimizers/experiments/hanrag-ablation.ts";
import questionSets from "../../../optimizers/experiments/hanrag-question-sets.ts";
import declareHanrag from "../../../optimizers/hanrag.ts";
import { publishedOn } from "../../../src/experiment/published-figure.ts";
import { rehearsalParts } from "../../support/rehearsal-parts.ts";
import { sharedData } from "../../support/shared-data.ts";

const multiHop = sharedData("multihop");
const hanrag = await declareHanrag(rehearsalParts());

afterEach(() => void vi.unstubAllEnvs());

function figuresOn(trainset: string, row = "hanrag", objective = "token_f1") {
  const { published = [] } = questionSets.rows.find(({ name }) => name === row) ?? {};
  const shown = publishedOn(published, { trainset, objective });
  return Object.fromEntries(shown.map(({ metric, value }) => [metric, value]));
}

test("a set's published line stands beside its own rows, and the router's beside four shelves", () => {
  expect(figuresOn(hanrag.trainset.name)).toEqual({ rightly_routed: 0.8393 });
  expect(figuresOn(hanrag.trainset.name, "hanrag-adaptive")).toEqual({});
  expect(figuresOn("musique-questions")).toEqual({
    token_f1: 0.366,
    exact_match: 0.298,
    accuracy: 0.432,
    negated_steps: -2.45,
  });
  expect(figuresOn("hotpotqa-questions", "few-shot")).toMatchObject({ token_f1: 0.589 });
  // The paper has these two alone for compound questions.
  expect(figuresOn("compound-questions", "hanrag", "accuracy")).toEqual({
    accuracy: 0.7176,
    negated_steps: -1.24,
  });
  expect(figuresOn("musique-single-hop")).toEqual({});
});

test.each([
  ["hanrag-oracle", "triviaqa", [0.645, 0.584, 0.716, -1]],
  ["no-retrieval", "squad", [0.105, 0.036, 0.05, 0]],
  ["single-step", "2wikimultihopqa", [0.479, 0.416, 0.428, -1]],
  ["hanrag-ircot", "nq", [0.478, 0.386, 0.442, -5.04]],
  ["hanrag-adaptive", "hotpotqa", [0.5382, 0.42, 0.444, -3.55]],
])("%s on %s has its own line of the paper", (row, set, figures) => {
  expect(Object.values(figuresOn(`${set}-questions`, row))).toEqual(figures);
});

test("the line of HANRAG-Fair is named beside HANRAG's", () => {
  const { published = [] } = questionSets.rows[0] ?? {};
  const told = published.map(({ of, trainset }) => `${trainset}: ${of}`);
  const fair = "HANRAG-Fair, with FLAN-T5-XL,";
  expect(told).toContain(`squad-questions: table 1, F1; ${fair} 0.449`);
  expect(told).toContain(`compound-questions: table 5, Steps; ${fair} 1.68`);
});

test.each([
  ["complex", { route: "complex" }, 1],
  ["compound", { route: "complex" }, 0],
  ["complex", { answer: "" }, null],
  ["complex", undefined, null],
  [undefined, { route: "complex" }, null],
])("of a %s question with output %j, rightly_routed is %j", (route, output, expected) => {
  const score: Score = { kind: "scored", value: 0, feedback: "" };
  const row = { example: { id: "1", input: {}, labels: { route } }, output, score };
  expect(questionSets.figures?.map(({ of }) => of(row))).toEqual([expected]);
});

test.skipIf(multiHop.isAbsent)(
  `the names of the published lines are those of the sets${multiHop.note}`,
  async () => {
    vi.stubEnv("ESPALIER_MULTIHOP_DIR", multiHop.file);
    vi.spyOn(console, "error").mockReturnValue();
    for (const set of ["musique", "hotpotqa", "2wikimultihopqa"]) {
      const study = await hanrag.variants?.[set]?.();
      expect(figuresOn(study?.trainset.name ?? "")).toHaveProperty("token_f1");
    }
  },
);

test("the row few-shot shows as many demonstrations as the paper's prompts", () => {
  const { candidate = [] } = questionSets.rows.find(({ name }) => name === "few-shot") ?? {};
  const counts = candidate.map(
    ({ path, value }) => [path, (value as readonly unknown[]).length] as const,
  );
  // Tables 10 to 14.
  expect(Object.fromEntries(counts)).toMatchObject({
    decomposeQuestion: 3,
    routeQuestion: 8,
    refineQuestion: 3,
    judgeRelevance: 3,
    answerFromPassages: 2,
  });
});

test.each([ablation, questionSets])("$name has a row with the shipped demonstrations", (table) => {
  const row = table.rows.find(({ name }) => name === "few-shot");
  const file = "optimizers/candidates/hanrag/few-shot.json";
  expect(row?.candidate).toEqual(JSON.parse(readFileSync(file, "utf8")));
});
