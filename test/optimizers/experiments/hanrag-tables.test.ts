import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
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

test("a set's published line stands beside its own rows, and none beside four shelves", () => {
  expect(figuresOn(hanrag.trainset.name)).toEqual({});
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

test.each([ablation, questionSets])("$name has a row with the shipped demonstrations", (table) => {
  const row = table.rows.find(({ name }) => name === "few-shot");
  const file = "optimizers/candidates/hanrag/few-shot.json";
  expect(row?.candidate).toEqual(JSON.parse(readFileSync(file, "utf8")));
});
