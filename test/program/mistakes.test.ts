import { predict, program, signature, text } from "espalier";
import { evaluate } from "espalier/evaluate";
import { metric, scored } from "espalier/metric";
import { readExamples } from "espalier/trainset";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import type { Held } from "../evaluate/programs.ts";
import { echo, unusedLm } from "../evaluate/programs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// None of these compiles; JavaScript, or a cast, brings them to a run.

const input = { question: text("question"), place: text("place") };
const output = { answer: text("answer") };
const answer = signature({ name: "answer", instruction: "Answer the question.", input, output });
const given = { question: "Which river?", place: "Ostrel" };

/** As in JavaScript. */
type Untyped = any;

it.each<[mistake: string, forward: (given: Untyped, predictors: Untyped) => unknown, said: string]>(
  [
    [
      "a call of a predictor lacks an input",
      ({ question }, predictors) => predictors.answer({ question }),
      'The inputs of signature "answer" do not match its fields: `place` is missing (expected: string) (at call path "answer"). Expected: fields `question`, `place`.',
    ],
    [
      "a call of a predictor misspells an input",
      ({ question, place }, predictors) => predictors.answer({ question, plase: place }),
      'The inputs of signature "answer" do not match its fields: `place` is missing (expected: string); `plase` is no field of it (did you mean `place`?) (at call path "answer"). Expected: fields `question`, `place`.',
    ],
    [
      "`forward` misspells its output",
      () => ({ anwser: "The Lirn." }),
      'The program\'s output does not match its fields: `answer` is missing (expected: string) (at program "towns"). Got: `anwser`, which the output does not have.',
    ],
    [
      "`forward` gives an output of another type",
      () => ({ answer: 7 }),
      'The program\'s output does not match its fields: `answer`: expected string, received number (at program "towns").',
    ],
    [
      "`forward` gives nothing",
      () => undefined,
      'The program\'s output does not match its fields: expected object, received undefined (at program "towns").',
    ],
    [
      "a predictor is misspelt",
      (all, predictors) => predictors.anwser(all),
      'The program\'s own code threw TypeError: predictors.anwser is not a function (at program "towns"). Did you mean `answer`?',
    ],
  ],
)("%s", async (_mistake, forward, said) => {
  const towns = program({
    name: "towns",
    version: "1",
    input,
    output,
    predictors: { answer: predict(answer) },
    forward: async (all, { predictors }) => (await forward(all, predictors)) as { answer: string },
  });
  await expect(towns.run(given, { lm: unusedLm })).rejects.toMatchObject({ message: said });
});

it("a metric misspells a label", async () => {
  const score = metric<Held, Held, Untyped>({
    name: "exact",
    version: "1",
    score: ({ output: { value }, example }) => scored(example.labels.golds.includes(value) ? 1 : 0),
  });
  const examples = [{ id: "q1", cluster: "q1", input: { value: 1 }, labels: { answers: [1] } }];
  const stopped = evaluate({ program: echo(), examples, metric: score, lm: unusedLm });
  await expect(stopped).rejects.toMatchObject({
    message:
      "The evaluation stopped: the program, the metric or their configuration is wrong (at example `q1`). Got: TypeError: Cannot read properties of undefined (reading 'includes'). A missing name is undefined: the output has `value`, the labels have `answers`. 0 of 1 examples are finished and kept in `rows`.",
  });
});

it("a row misspells an input", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "train.jsonl");
  const row = {
    id: "q1",
    input: { question: "Which river?", plase: "Ostrel" },
    labels: { answers: ["The Lirn."] },
  };
  await writeFile(path, `${JSON.stringify(row)}\n`);
  const labels = { answers: z.array(z.string()) };
  await expect(readExamples(path, { input, labels })).rejects.toMatchObject({
    message: `The row does not have the declared shape (at ${path}:1, field \`input.place\`). Expected: a string. Got: nothing, but \`plase\`. Correct it and 1 more in this row.`,
  });
});
