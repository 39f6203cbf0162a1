import type { Example, RankedPassage, Retriever, Study, Trainset } from "espalier";
import { predict, program, signature, study, text } from "espalier";
import { metric, scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import { retrievalTask } from "../../../packages/rehearsal/test/support/retrieval-task.ts";

const task = retrievalTask(7, 48);

/** Inverse-document-frequency overlap over invented places; ties keep the collection's order. */
export const placeSearch: Retriever = {
  name: "place-search",
  version: "1",
  doRetrieve: async ({ query, k }) => ranked(query).slice(0, k),
};

const writeQuery = signature({
  name: "write-query",
  instruction: "Write a search query for the question.",
  input: {
    question: text("question", "What the user asks now."),
    history: text("history", "The turns before, oldest first."),
  },
  output: { query: text("query", "Query for the search engine.", { max: 400 }) },
});

/** Two query writers with one signature; the first one's results precede the second's. */
const finder = program({
  name: "finder",
  version: "1",
  input: { question: text("question"), history: text("history") },
  output: { found: text("answer") },
  predictors: { broadQuery: predict(writeQuery), narrowQuery: predict(writeQuery) },
  forward: async (given, call) => {
    const { query: broad } = await call.predictors.broadQuery(given);
    const { query: narrow } = await call.predictors.narrowQuery(given);
    const first = await call.retrieve(placeSearch, { query: broad, k: 2, key: "broad" });
    const second = await call.retrieve(placeSearch, { query: narrow, k: 2, key: "narrow" });
    return { found: [...first, ...second].map(({ id }) => id).join(" ") };
  },
});

export interface PlaceLabels {
  readonly gold: string;
}

export type PlaceInput = { readonly question: string; readonly history: string };

/**
 * The broad query's best passage counts most, then the narrow one's, then whether the two differ.
 */
const foundPlace = metric<PlaceInput, { readonly found: string }, PlaceLabels>({
  name: "found-place",
  version: "1",
  score: ({ example, output }) => {
    const { gold } = example.labels;
    const [broad, second, narrow] = output.found.split(" ");
    const found = { broad: Number(broad === gold), narrow: Number(narrow === gold) };
    const differs = Number(second !== narrow && broad !== narrow);
    return scored(
      0.5 * found.broad + 0.3 * found.narrow + 0.2 * differs,
      missingPlace(example),
      [],
      found,
    );
  },
});

const rows = task.cases.map(
  ({ question, history, gold }, index): Example<PlaceInput, PlaceLabels> => ({
    id: `place-${index}`,
    input: { question, history },
    labels: { gold },
  }),
);

/** What should have been found, in words that reflection understands. */
export function missingPlace({ input, labels }: Example<PlaceInput, PlaceLabels>): string {
  const wanted = task.passages.find(({ id }) => id === labels.gold)?.text ?? "";
  return `Question: ${input.question}\nRetrieved passages:\n- something else\nMissing gold passages:\n- ${wanted}`;
}

export const placeTrainset: Trainset<PlaceInput, PlaceLabels> = trainset({
  name: "places",
  version: "1",
  licence: "CC0-1.0",
  source: "generated for tests",
  splits: { train: rows.slice(0, 14), val: rows.slice(14, 28), test: rows.slice(28) },
});

export const placeStudy: Study = study({
  name: "places",
  program: finder,
  trainset: placeTrainset,
  objective: foundPlace,
});

function ranked(query: string): readonly RankedPassage[] {
  const asked = [...tokens(query)];
  return held
    .map(({ id, text, words }) => {
      const score = asked
        .filter((word) => words.has(word))
        .reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
      return { id, text, score: score / Math.sqrt(Math.max(6, asked.length)) };
    })
    .toSorted((one, other) => other.score - one.score);
}

function tokens(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return new Set(words.map((word) => word.replace(/s$/, "")));
}

const held = task.passages.map(({ id, text }) => ({ id, text, words: tokens(text) }));

const weights: ReadonlyMap<string, number> = new Map(
  [
    ...Map.groupBy(
      held.flatMap(({ words }) => [...words]),
      (word) => word,
    ),
  ].map(([word, { length }]) => [word, Math.log(held.length / length)]),
);
