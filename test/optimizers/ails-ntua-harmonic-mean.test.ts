import { describe, expect, test } from "vitest";
import { evaluate } from "espalier/evaluate";
import { planOptimization } from "espalier/optimizer";
import { rehearsalLm } from "@espalier/rehearsal";
import declareAils from "../../optimizers/ails-ntua-harmonic-mean.ts";
import { rehearsalParts } from "../support/rehearsal-parts.ts";

const ails = await declareAils(rehearsalParts());

describe("the study of AILS-NTUA for the harmonic mean", () => {
  test("puts every question to the collection that its shelf resembles", () => {
    const examples = Object.values(ails.trainset.splits).flat();
    const corpora = new Set(examples.map(({ input }) => (input as { corpus: string }).corpus));
    expect([...corpora].toSorted()).toEqual(["clapnq", "cloud", "fiqa", "govt"]);
  });

  test("has a budget for several proposals", () => {
    const { optimizer } = ails;
    if (optimizer === undefined) throw new Error("no optimizer");
    const plan = planOptimization(ails, { optimizer, budget: optimizer.budget ?? {} });
    expect(plan.warnings).toEqual([]);
  });

  test("judges the answer by the passages it was written from", async () => {
    const { counts, objectives, rows } = await evaluate({
      program: ails.program,
      examples: ails.trainset.splits.val.slice(0, 4),
      metric: ails.objective,
      lm: rehearsalLm(),
      resamples: 0,
    });
    expect(counts).toMatchObject({ scored: 4, unscored: 0 });
    expect(Object.keys(objectives)).toEqual(["lexical_agreement"]);
    for (const { output } of rows) {
      const { passages, contexts } = output as {
        passages: readonly unknown[];
        contexts: readonly unknown[];
      };
      expect(contexts).toEqual(passages.slice(0, 3));
    }
  });
});
