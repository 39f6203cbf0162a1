import { join } from "node:path";
import { passages, predict, program, reason, signature, study, text } from "espalier";
import { tokenF1 } from "espalier/metric";
import { gepa } from "espalier/optimizer";
import { readExamples, trainset } from "espalier/trainset";
import { z } from "zod";

const input = { question: text("question", "What is asked."), passages: passages() };
const judge = signature({
  name: "judge-evidence",
  instruction: "Decide whether the passages hold the answer to the question.",
  input,
  output: { label: z.enum(["answerable", "unanswerable"]).describe("What they allow.") },
});
const answer = signature({
  name: "answer",
  instruction: "Say something.",
  input,
  output: { answer: text("answer", "That sentence, word for word.") },
});
export const answerer = program({
  name: "answerer",
  version: "1",
  input,
  output: { answer: text("answer") },
  predictors: { judge: predict(judge), answer: reason(answer) },
  forward: async (given, { predictors }) => {
    const { label } = await predictors.judge(given);
    return label === "answerable" ? predictors.answer(given) : { answer: "I do not know." };
  },
});
const rows = (split: string) =>
  readExamples(join(import.meta.dirname, `${split}.jsonl`), {
    input,
    labels: { answers: z.array(z.string()) },
  });

export default study({
  name: "answerer",
  program: answerer,
  trainset: trainset({
    name: "towns",
    version: "1",
    licence: "CC0-1.0",
    source: "own writing",
    splits: { train: await rows("train"), val: await rows("val"), test: await rows("test") },
  }),
  objective: tokenF1({ answer: "answer", golds: "answers" }),
  optimizer: gepa(),
});
