import { z } from "zod";
import type { Study } from "espalier";
import { labelWeight, predict, program, signature, study, text } from "espalier";
import { metric, scored } from "espalier/metric";
import type { PlaceInput, PlaceLabels } from "./place-search.ts";
import { placeSearch, placeTrainset } from "./place-search.ts";

const input = { question: text("question"), history: text("history") };

const classify = signature({
  name: "classify",
  instruction:
    "FOLLOW if it asks for cost, charge, founding, coast, language, volunteers, closing or hours. WHOLE if it names an orchestra, a harbour or a quarry.",
  input: { question: input.question },
  output: { label: z.enum(["FOLLOW", "WHOLE"]).describe("Whether it needs the talk before.") },
});
const write = signature({
  name: "write-query",
  instruction: "Write a search query for the question.",
  input: { question: input.question },
  output: { query: text("query", "Query for the search engine.", { max: 400 }) },
});

/** Searches for what the talk before names, unless the LM finds that a question stands alone. */
const finder = program({
  name: "weighed-finder",
  version: "1",
  input,
  output: { found: text("answer") },
  predictors: {
    classify: predict(classify, { probabilities: { label: {} } }),
    write: predict(write),
  },
  parameters: {
    whole: labelWeight({ predictor: "classify", field: "label", label: "WHOLE" }),
  },
  forward: async ({ question, history }, { predictors, retrieve }) => {
    const { label } = await predictors.classify({ question });
    const query =
      label === "WHOLE"
        ? (await predictors.write({ question })).query
        : `${history} ${withoutNames(question)}`;
    const [best] = await retrieve(placeSearch, { query, k: 1 });
    return { found: best?.id ?? "" };
  },
});

function withoutNames(question: string): string {
  return question.replaceAll(/\b[A-Z]\w*/g, "");
}

const isFound = metric<PlaceInput, { readonly found: string }, PlaceLabels>({
  name: "is-found",
  version: "1",
  score: ({ example, output }) => scored(Number(output.found === example.labels.gold)),
});

export const weighedStudy: Study = study({
  name: "weighed-places",
  program: finder,
  trainset: placeTrainset,
  objective: isFound,
  gold: {
    classify: ({ input: { question } }) => ({
      outputs: {
        label: withoutNames(question.slice(1)) === question.slice(1) ? "FOLLOW" : "WHOLE",
      },
    }),
  },
});
