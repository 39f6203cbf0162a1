import type { Retriever } from "espalier";
import { int, passages, predict, program, rankedPassages, signature, text } from "espalier";

const question = text("question", "What is asked.");

export const writeQuery = signature({
  name: "write-query",
  instruction: "Write a search query that finds the passages that answer the question.",
  input: { question },
  output: { query: text("query", "Words to search for.") },
});

const writeAnswer = signature({
  name: "write-answer",
  instruction: "Answer the question from the passages, in one sentence.",
  input: { question, passages: passages() },
  output: { answer: text("answer", "The answer, or that the passages do not say.", { max: 300 }) },
});

export const rag = (retriever: Retriever) =>
  program({
    name: "rag",
    version: "1",
    input: { question },
    output: { answer: text("answer"), passages: rankedPassages() },
    predictors: { query: predict(writeQuery), answer: predict(writeAnswer) },
    parameters: { k: int({ default: 3, min: 1, max: 10 }) },
    forward: async ({ question }, call) => {
      const { query } = await call.predictors.query({ question });
      const found = await call.retrieve(retriever, { query, k: call.parameters.k });
      const { answer } = await call.predictors.answer({ question, passages: found });
      return { answer, passages: found };
    },
  });
