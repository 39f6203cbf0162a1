import type { Study } from "espalier";
import { choice, int, predict, program, real, signature, study, text } from "espalier";
import { metric, scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import { z } from "zod";

const never = signature({
  name: "never-called",
  instruction: "Greet.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});

const branches = program({
  name: "branches",
  version: "1",
  input: { question: text("question") },
  output: { quality: z.number() },
  // A program has predictors; the score of this one hangs on its parameters alone.
  predictors: { never: predict(never) },
  parameters: {
    k: int({ default: 2, min: 1, max: 20 }),
    search: choice(["lexical", "dense", "both"]),
    b: real({ default: 0.1, min: 0, max: 1, when: { search: "lexical" } }),
    probes: int({ default: 1, min: 1, max: 256, isLogScale: true, when: { search: "dense" } }),
    weight: real({ default: 0.9, min: 0, max: 1, when: { search: "both" } }),
  },
  forward: async (_, { parameters }) => ({ quality: branchQuality(parameters) }),
});

interface BranchLabels {
  readonly ease: number;
}

/** Quality and the ease of the example, each for a half. */
const eased = metric<{ readonly question: string }, { readonly quality: number }, BranchLabels>({
  name: "eased",
  version: "1",
  score: ({ example: { labels }, output: { quality } }) => scored((quality + labels.ease) / 2),
});

const rows = Array.from({ length: 50 }, (_, index) => ({
  id: `branch-${index}`,
  input: { question: `Branch ${index}` },
  labels: { ease: ((index * 7) % 11) / 10 },
}));

/** Best where both ways of search are taken, weight .3 and k 12; asks no LM. */
export const branchStudy: Study = study({
  name: "branches",
  program: branches,
  trainset: trainset({
    name: "branches",
    version: "1",
    licence: "CC0-1.0",
    source: "generated for tests",
    splits: { train: rows.slice(0, 5), val: rows.slice(5, 45), test: rows.slice(45) },
  }),
  objective: eased,
});

/** What the parameters of `branchStudy` are worth; 1 is the most. */
export function branchQuality(values: Readonly<Record<string, unknown>>): number {
  const [k, b, probes, weight] = ["k", "b", "probes", "weight"].map((name) => Number(values[name]));
  const ofSearch = {
    lexical: 0.3 - 0.3 * Math.abs((b as number) - 0.75),
    dense: 0.4 - 0.05 * Math.abs(Math.log2((probes as number) / 32)),
    both: 0.6 - 0.5 * Math.abs((weight as number) - 0.3),
  }[String(values["search"]) as "lexical" | "dense" | "both"];
  return ofSearch + 0.4 - 0.02 * Math.abs((k as number) - 12);
}
