import { expect, test } from "vitest";
import { predict, program, rankedPassages, signature, text } from "../../../src/index.ts";
import { generationQuality } from "../src/index.ts";
import { gepa, optimize } from "../../../src/optimizer/index.ts";
import { rehearsalLm } from "@espalier/rehearsal";
import { trainset } from "../../../src/trainset/index.ts";
import { passages } from "./support.ts";

const ranked = passages.map((passage) => ({ ...passage, score: 1 }));

const answerer = program({
  name: "answerer",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer"), passages: rankedPassages() },
  predictors: {
    answer: predict(
      signature({
        name: "answer",
        instruction: "Reply.",
        input: { question: text("question"), passages: rankedPassages() },
        output: { answer: text("answer", "The answer.") },
      }),
    ),
  },
  forward: async ({ question }, { predictors }) => ({
    answer: (await predictors.answer({ question, passages: ranked })).answer,
    passages: ranked,
  }),
});

const examples = Array.from({ length: 6 }, (_, index) => ({
  id: `e${index}`,
  input: { question: index % 2 === 0 ? "When was the footbridge finished?" : "Who paid for it?" },
  labels: {
    reference: index % 2 === 0 ? "It was finished in 1902." : "The brewery paid for it.",
    answerability: "ANSWERABLE" as const,
  },
}));

test("optimizes for an objective whose judges ask the run's LM, and charges them", async () => {
  const lm = rehearsalLm();
  const objective = generationQuality({
    question: "question",
    answer: "answer",
    passages: "passages",
    reference: "reference",
    answerability: "answerability",
    blame: { answering: ["answer"] },
  });
  const result = await optimize(
    {
      program: answerer,
      objective,
      trainset: trainset({
        name: "bridge",
        version: "1",
        licence: "CC0-1.0",
        source: "own writing",
        splits: { train: examples, val: examples.map((one) => ({ ...one, id: `v${one.id}` })) },
      }),
    },
    { optimizer: gepa({ budget: { metricCalls: 40 } }), lm },
  );
  const { metricCalls, lmCalls, reflectionCalls } = result.spent;
  expect(metricCalls).toBeLessThanOrEqual(40);
  // One call to answer, and at least three to judge.
  expect(lmCalls - reflectionCalls).toBeGreaterThanOrEqual(3 * metricCalls);
  expect(result.candidates[0]?.selection.value).toBeGreaterThan(0);
});
