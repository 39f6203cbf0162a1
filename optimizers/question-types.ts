/**
 * One step on 270 short questions of our own writing: `npm run optimize`. A model of 135M
 * parameters answers, which learns more from demonstrations than from instructions.
 */
import { join } from "node:path";
import { predict, program, signature, study, text } from "espalier";
import { scored } from "espalier/metric";
import { bootstrapFewShot } from "espalier/optimizer";
import { readExamples, trainset } from "espalier/trainset";
import { z } from "zod";

export const classify = signature({
  name: "classify",
  instruction: "Say what the question asks for.",
  input: { question: text("question", "What somebody wants to know.") },
  output: {
    type: z.enum(["person", "place", "time", "number", "reason"]).describe("What the answer is."),
  },
});

const rows = (split: string) =>
  readExamples(join(import.meta.dirname, `../trainsets/question-types/${split}.jsonl`), {
    input: classify.input,
    labels: classify.output,
  });

export default async () =>
  study({
    name: "question-types",
    program: program({
      name: "question-types",
      version: "1",
      input: classify.input,
      output: classify.output,
      predictors: { classify: predict(classify) },
      forward: (given, { predictors }) => predictors.classify(given),
    }),
    trainset: trainset({
      name: "question-types",
      version: "1",
      licence: "CC0-1.0",
      source: "own writing",
      splits: { train: await rows("train"), val: await rows("val"), test: await rows("test") },
    }),
    objective: {
      name: "accuracy",
      version: "1",
      score: ({ output, example }) =>
        output.type === example.labels.type
          ? scored(1, "Right.")
          : scored(0, `Should be ${example.labels.type}.`),
    },
    optimizer: bootstrapFewShot({ trials: 3, budget: { metricCalls: 300 } }),
  });
