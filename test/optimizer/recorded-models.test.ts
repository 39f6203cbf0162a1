import type { LanguageModel, Study } from "espalier";
import { evaluate } from "espalier/evaluate";
import type { OptimizationResult, Optimizer } from "espalier/optimizer";
import {
  autoSearch,
  bootstrapFewShot,
  decisionFit,
  gepa,
  inTurn,
  miproV2,
  optimize,
  parameterSearch,
  reflectiveProposer,
} from "espalier/optimizer";
import { expect, test } from "vitest";
import { recordedModels } from "../support/recorded-models/recorded-models.ts";
import { countryCodes, questionTypes, weighedTypes } from "./support/small-tasks.ts";

const trained = recordedModels("searches");
const smol = trained("smollm2-135m");
const qwen = trained("qwen-coder-0.5b");

interface Search {
  readonly study: () => Study | Promise<Study>;
  readonly lm: LanguageModel;
  readonly optimizer: Optimizer;
  /** Kinds of what it may change. */
  readonly changes: readonly string[];
}

const fewShot = bootstrapFewShot({ trials: 3 });
const weights = { study: weighedTypes, lm: smol, changes: ["parameter"] };
const budget = { metricCalls: 150, reflectionCalls: 2 };
// Qwen-0.5B writes some texts without end.
const sampling = { maxCompletionTokens: 300 };
// With other seeds none of its texts helps.
const texts = gepa({
  budget: { metricCalls: 90, reflectionCalls: 5 },
  reflection: { proposer: reflectiveProposer({ sampling }) },
});

/** Qwen-0.5B reflects, since what SmolLM2 writes as an instruction is no instruction. */
const searches: Readonly<Record<string, Search>> = {
  "bootstrapFewShot()": { study: questionTypes, lm: smol, optimizer: fewShot, changes: ["demos"] },
  "autoSearch()": {
    study: questionTypes,
    lm: smol,
    optimizer: autoSearch({ budget }),
    changes: ["instruction", "demos"],
  },
  "miproV2()": {
    study: questionTypes,
    lm: smol,
    optimizer: miproV2({ budget: { metricCalls: 120, reflectionCalls: 4 } }),
    changes: ["instruction", "demos"],
  },
  "decisionFit()": { ...weights, optimizer: decisionFit() },
  "parameterSearch()": { ...weights, optimizer: parameterSearch({ method: "tpe", trials: 120 }) },
  "gepa()": { study: countryCodes, lm: qwen, optimizer: texts, changes: ["instruction"] },
  "inTurn()": {
    study: countryCodes,
    lm: qwen,
    optimizer: inTurn([texts, fewShot]),
    changes: ["instruction", "demos"],
  },
};

test.for(Object.entries(searches))(
  "%s gains on val and on test from what trained models said",
  async ([, { study, lm, optimizer, changes }]) => {
    const task = await study();
    const found = await optimize(task, { optimizer, lm, reflectionLm: qwen });
    const [seed] = found.candidates;
    const [before, after] = [
      await onTest(task, task.program, lm),
      await onTest(task, found.program, lm),
    ];
    expect(found.best.selection.value).toBeGreaterThan(seed?.selection.value ?? 1);
    expect(after).toBeGreaterThan(before);
    const kinds = found.best.changed.map((component) => component.split(":")[0]);
    expect(changes).toEqual(expect.arrayContaining(kinds));
  },
);

async function onTest(
  { trainset, objective: metric }: Study,
  program: OptimizationResult["program"],
  lm: LanguageModel,
): Promise<number> {
  const examples = trainset.splits.test;
  const { value, coverage } = await evaluate({ program, examples, metric, lm, resamples: 0 });
  expect(coverage).toBe(1);
  return value ?? Number.NaN;
}
