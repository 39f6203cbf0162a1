/** A mistake that a user makes, and what the compiler's message must say of it. */
export interface WrongProgram {
  readonly mistake: string;
  readonly code: string;
  readonly says: RegExp;
}

const declared = `
import { predict, program, signature, study, text } from "espalier";
import { tokenF1, metric, scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import type { MetricArguments } from "espalier";
import { z } from "zod";

const question = text("question");
const answer = signature({
  name: "answer",
  instruction: "Answer.",
  input: { question, notes: text("notes") },
  output: { answer: text("answer"), units: z.int() },
});
const parts = {
  name: "answerer",
  version: "1",
  input: { question, notes: text("notes") },
  output: { answer: text("answer"), units: z.int() },
  predictors: { answer: predict(answer) },
} as const;
const answerer = program({
  ...parts,
  forward: (given, { predictors }) => predictors.answer(given),
});
const examples = [
  { id: "a", input: { question: "Where?", notes: "There." }, labels: { golds: ["There."] } },
];
const about = { name: "towns", version: "1", licence: "CC0-1.0", source: "own writing" };
const towns = trainset({ ...about, splits: { val: examples } });
`;

/** Each is a module of its own, after the same declarations. */
export const wrongPrograms: readonly WrongProgram[] = (
  [
    [
      "an input is missing",
      `program({ ...parts, forward: ({ question }, { predictors }) => predictors.answer({ question }) });`,
      /notes/,
    ],
    [
      "an input is misspelt",
      `program({ ...parts, forward: ({ question, notes }, { predictors }) => predictors.answer({ question, note: notes }) });`,
      /'note'|notes/,
    ],
    [
      "a text stands in the place of another",
      `program({ ...parts, forward: ({ question, notes }, { predictors }) => predictors.answer({ question: notes, notes: question }) });`,
      /espalier: input \\?"question\\?" takes text in the role \\?"question\\?", but got text in the role \\?"notes\\?"/,
    ],
    [
      "there is no such predictor",
      `program({ ...parts, forward: (given, { predictors }) => predictors.answers(given) });`,
      /'answers' does not exist.*Did you mean 'answer'/s,
    ],
    [
      "there is no such parameter",
      `program({ ...parts, forward: (given, { predictors, parameters }) => predictors.answer(given, parameters.hops) });`,
      /'hops'/,
    ],
    [
      "the program lacks an output",
      `program({ ...parts, forward: async (given, { predictors }) => ({ answer: (await predictors.answer(given)).answer }) });`,
      /units/,
    ],
    [
      "an output has another type",
      `program({ ...parts, forward: async (given, { predictors }) => ({ ...(await predictors.answer(given)), units: "three" }) });`,
      /units|'string' is not assignable to type 'number'/,
    ],
    [
      "a metric reads an output that the program does not have",
      `const wordy = metric({ name: "wordy", version: "1", score: ({ output }: MetricArguments<unknown, { readonly anwser: string }, unknown>) => scored(output.anwser.length) });
      study({ name: "towns", program: answerer, trainset: towns, objective: wordy });`,
      /anwser/,
    ],
    [
      "a metric reads a label that no example has",
      `const right = metric({ name: "right", version: "1", score: ({ example }: MetricArguments<unknown, unknown, { readonly gold: string }>) => scored(example.labels.gold.length) });
      study({ name: "towns", program: answerer, trainset: towns, objective: right });`,
      /gold/,
    ],
    [
      "a shipped metric is given the name of no label",
      `study({ name: "towns", program: answerer, trainset: towns, objective: tokenF1({ answer: "answer", golds: "answers" }) });`,
      /answers|golds/,
    ],
    [
      "the examples lack an input",
      `study({ name: "towns", program: answerer, objective: tokenF1({ answer: "answer", golds: "golds" }), trainset: trainset({ ...about, splits: { val: [{ id: "a", input: { question: "Where?" }, labels: { golds: [""] } }] } }) });`,
      /notes/,
    ],
    [
      "a chat model gives its program too little",
      `import { chatModel } from "espalier/serve";
      chatModel({ id: "towns", program: answerer, inputOf: ({ question }) => ({ question }), answerOf: ({ answer }) => ({ answer }) });`,
      /notes/,
    ],
    [
      "a chat model answers with what the program does not give",
      `import { chatModel } from "espalier/serve";
      chatModel({ id: "towns", program: answerer, inputOf: ({ question }) => ({ question, notes: "" }), answerOf: ({ reply }) => ({ answer: reply }) });`,
      /'reply'/,
    ],
    [
      "an option of an optimizer is misspelt",
      `import { gepa } from "espalier/optimizer";
      gepa({ budgets: { metricCalls: 10 } });`,
      /'budgets' does not exist|did you mean.*'budget'/is,
    ],
    [
      "a model is named as another library names it",
      `import { connect } from "espalier/lm";
      connect({ baseURL: "http://127.0.0.1:8000/v1", model: "m" });`,
      /baseURL|baseUrl/,
    ],
    [
      "a tool returns another type than it declares",
      `import { tool } from "espalier";
      tool({ name: "in_stock", description: "Says how much is there.", input: { material: z.string() }, output: z.object({ units: z.int() }), run: ({ material }) => ({ units: material }) });`,
      /units|'string' is not assignable to type 'number'/,
    ],
  ] as const
).map(([mistake, code, says]) => ({ mistake, code: `${declared}\n${code}\n`, says }));
