import type { PassageReranker, Study } from "espalier";
import { predict, program, signature, study, text } from "espalier";
import { named } from "espalier/lm";
import { metric, scored } from "espalier/metric";
import { z } from "zod";
import type { PlaceInput, PlaceLabels } from "./place-search.ts";
import { missingPlace, placeSearch, placeTrainset } from "./place-search.ts";

const verdict = z.enum(["answerable", "unanswerable"]).describe("What the passages allow.");

const ratePassage = predict(
  signature({
    name: "rate-passage",
    instruction: "Decide whether the passages hold the answer to the question.",
    input: { question: text("question", "What is asked."), passages: text("passage", "One.") },
    output: { label: verdict },
  }),
);

const gradeAnswer = predict(
  signature({
    name: "grade-answer",
    instruction: "Decide whether the passages hold the answer to the question.",
    input: { question: text("question", "What is asked."), passages: text("passage", "All.") },
    output: { label: verdict },
  }),
);

/**
 * Puts passages first in which the run's LM finds an answer; one call per passage, side by side.
 */
const graded: PassageReranker = {
  name: "graded",
  version: "1",
  doRerank: async ({ query, passages, k }, { signal, lm }) => {
    if (lm === undefined) throw new Error("A program lends its reranker an LM.");
    const rated = await Promise.all(
      passages.map(async (passage) => {
        const { label } = await ratePassage.run(
          { question: query, passages: passage.text },
          { lm: named(lm, passage.id), ...(signal && { signal }) },
        );
        return { ...passage, score: Number(label === "answerable") };
      }),
    );
    return rated.toSorted((left, right) => right.score - left.score).slice(0, k);
  },
};

const finder = program({
  name: "graded-finder",
  version: "1",
  input: { question: text("question"), history: text("history") },
  output: { found: text("answer") },
  predictors: {
    query: predict(
      signature({
        name: "write-query",
        instruction: "Write a search query for the question.",
        input: {
          question: text("question", "What the user asks now."),
          history: text("history", "The turns before, oldest first."),
        },
        output: { query: text("query", "Query for the search engine.", { max: 400 }) },
      }),
    ),
  },
  forward: async (given, { predictors, retrieve, rerank }) => {
    const { query } = await predictors.query(given);
    const passages = await retrieve(placeSearch, { query, k: 3 });
    const best = await rerank(graded, { query, passages, k: 2 });
    return { found: best.map(({ id }) => id).join(" ") };
  },
});

/** Scores whether the place was found, plus a little for the LM's verdict. */
const gradedPlace = metric<PlaceInput, { readonly found: string }, PlaceLabels>({
  name: "graded-place",
  version: "1",
  score: async ({ example, output, lm, signal }) => {
    if (lm === undefined) throw new Error("An evaluation lends its metric an LM.");
    const [first = ""] = output.found.split(" ");
    const { label } = await gradeAnswer.run(
      { question: example.input.question, passages: output.found },
      { lm, ...(signal && { signal }) },
    );
    const isFound = first === example.labels.gold;
    return scored(
      0.9 * Number(isFound) + 0.1 * Number(label === "answerable"),
      missingPlace(example),
    );
  },
});

/** The place finder with a reranker and a judge that use the run's LM. */
export const gradedStudy: Study = study({
  name: "graded-places",
  program: finder,
  trainset: placeTrainset,
  objective: gradedPlace,
});
