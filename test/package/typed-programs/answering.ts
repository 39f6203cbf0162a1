import type { RankedPassage, Retriever } from "espalier";
import { int, predict, program, rankedPassages, reason, signature, study, text } from "espalier";
import { tokenF1 } from "espalier/metric";
import { autoSearch } from "espalier/optimizer";
import { bm25Index, denseIndex, hybrid } from "espalier/retrieval";
import type { Parts } from "espalier/servers";
import { readExamples, trainset } from "espalier/trainset";
import { z } from "zod";

const question = text("question", "What is asked.");
const notes = text("notes", "What is known so far.");
const write = signature({
  name: "write-query",
  instruction: "Write a search query for what is still missing.",
  input: { question, notes },
  output: { query: text("query") },
});
const answerFrom = signature({
  name: "answer",
  instruction: "Answer the question from the notes in one sentence.",
  input: { question, notes },
  output: { answer: text("answer") },
});

/** Several hops of search, with parameters that an optimizer may set. */
export const twoHops = (retriever: Retriever) =>
  program({
    name: "two-hops",
    version: "1",
    input: { question },
    output: { answer: text("answer"), passages: rankedPassages() },
    predictors: { write: predict(write), answer: reason(answerFrom) },
    parameters: { hops: int({ default: 2, min: 1, max: 4 }) },
    forward: async ({ question: asked }, call) => {
      const found: RankedPassage[] = [];
      for (let hop = 1; hop <= call.parameters.hops; hop++) {
        const scope = call.at("hop", hop);
        const { query } = await scope.predictors.write({ question: asked, notes: textOf(found) });
        found.push(...(await scope.retrieve(retriever, { query, k: 5 })));
      }
      const { answer } = await call.predictors.answer({ question: asked, notes: textOf(found) });
      return { answer, passages: found };
    },
  });

/** With parts of the servers file. */
export const declare = async (parts: Parts) => {
  const file = { path: "towns.sqlite", corpus: "towns.jsonl" };
  const retriever = hybrid({
    retrievers: [await bm25Index(file), await denseIndex({ ...file, embedder: parts.embedder() })],
    k0: 60,
    weights: [0.4, 0.6],
  });
  const rows = (split: string) =>
    readExamples(`${split}.jsonl`, {
      input: { question },
      labels: { answers: z.array(z.string()) },
    });
  return study({
    name: "two-hops",
    program: twoHops(retriever),
    trainset: trainset({
      name: "towns",
      version: "1",
      licence: "CC0-1.0",
      source: "own writing",
      splits: { train: await rows("train"), val: await rows("val"), test: await rows("test") },
    }),
    objective: tokenF1({ answer: "answer", golds: "answers" }),
    optimizer: autoSearch({ budget: { metricCalls: 500 } }),
  });
};

function textOf(passages: readonly RankedPassage[]): string {
  return passages.map(({ text: words }) => words).join("\n");
}
