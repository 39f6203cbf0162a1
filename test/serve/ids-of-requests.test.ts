import { predict, program, signature, text } from "espalier";
import { chatJobs, chatModel, programJobs, runChat } from "espalier/serve";
import { expect, test } from "vitest";
import { batchRows } from "../../programs/r2rag/mmu-rag/batch-rows.ts";
import { scriptedLm } from "../support/scripted-lm.ts";

const answer = signature({
  name: "answer",
  instruction: "Answer the question.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});

/** Has a demonstration from the training example "q1". */
const model = chatModel({
  id: "shown",
  program: program({
    name: "shown",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer") },
    predictors: {
      answer: predict(answer, {
        demos: [{ exampleId: "q1", inputs: { question: "Shown?" }, outputs: { answer: "Yes." } }],
      }),
    },
    forward: (given, { predictors }) => predictors.answer(given),
  }),
  inputOf: ({ question }) => ({ question }),
  answerOf: ({ answer }) => ({ answer }),
});

const ids = ["q1", "q2"];
const { signal } = new AbortController();

test.each<[string, (lm: Parameters<typeof runChat>[1]["lm"]) => Promise<unknown>]>([
  [
    "row of a batch of inputs",
    async (lm) => {
      const rows = ids.map((id) => ({ id, input: { question: "Where?" } }));
      for (const job of programJobs(rows, { model, lm, maxInput: 100 })) await job.run(signal);
    },
  ],
  [
    "row of a batch of questions",
    async (lm) => {
      const questions = ids.map((id) => ({ id, question: "Where?" }));
      const jobs = chatJobs(questions, { model, lm, maxInput: 100, format: batchRows });
      for (const job of jobs) await job.run(signal);
    },
  ],
  [
    "question to a server",
    async (lm) => {
      for (const id of ids) await runChat(model, { question: "Where?", history: [], id, lm });
    },
  ],
])("the id of a %s keeps no demonstration from it, and seeds it", async (_, ask) => {
  await using server = await scriptedLm(() => '{"answer":"There."}');
  await ask(server.lm);
  const prompts = server.received.map(({ messages }) => JSON.stringify(messages));
  expect(prompts.map((prompt) => prompt.includes("Shown?"))).toEqual([true, true]);
  expect(new Set(server.received.map(({ seed }) => seed)).size).toBe(2);
});
