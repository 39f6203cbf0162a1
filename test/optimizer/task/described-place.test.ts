import { expect, it } from "vitest";
import { passages, predict, program, signature, text } from "espalier";
import { metric, scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import { z } from "zod";
import { programSpace } from "../../../src/optimizer/task/program-space.ts";

const classify = signature({
  name: "classify",
  instruction: "Label it.",
  input: { question: text("question", "What is asked."), hits: passages("What was found.") },
  output: {
    kind: z.enum(["fish", "bird"]).describe("What it is about."),
    odd: z.enum(["a, b", "c"]),
    sure: z.int().min(0).max(5),
    tags: z.array(z.string().max(9)).max(3),
    why: z.string().max(80).nullable(),
    other: z.string().optional(),
  },
});

it("tells the reflection LM types, labels and limits of fields, and the metric", () => {
  const { describe, components } = programSpace({
    program: program({
      name: "kinds",
      version: "1",
      input: classify.input,
      output: classify.output,
      predictors: { classify: predict(classify) },
      forward: ({ question, hits }, { predictors }) => predictors.classify({ question, hits }),
    }),
    trainset: trainset({
      name: "kinds",
      version: "1",
      licence: "CC0-1.0",
      source: "generated",
      splits: { train: [], val: [], test: [] },
    }),
    objective: metric({ name: "is-right", version: "1", score: () => scored(1) }),
  });
  expect(describe(components[0] as (typeof components)[number])).toMatchInlineSnapshot(`
    "The step \`classify\` of the program \`kinds\`, which the metric \`is-right\` scores, takes \`question\` (What is asked.), \`hits\` (passages: What was found.) and writes \`kind\` (one of: fish, bird: What it is about.), \`odd\` (one of: "a, b", "c"), \`sure\` (a whole number from 0 to 5), \`tags\` (a list of at most 3, each at most 9 characters), \`why\` (at most 80 characters; may be null), \`other\` (may be missing).
    It is the only step."
  `);
});
