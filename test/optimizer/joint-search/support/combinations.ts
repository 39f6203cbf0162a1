import type { Study } from "espalier";
import { choice, predict, program, study, text } from "espalier";
import { metric, scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import { z } from "zod";
import { greet } from "../../parameter-search/support/dials.ts";

const options = ["w", "x", "y", "z"] as const;
/** By the sum of the places of three options, modulo four. */
const worths = [0.4, 0.15, 0.8, 0.6];

/** Share of examples that a combination of choices gets right. */
export function worthOf({ one, two, three }: Readonly<Record<string, unknown>>): number {
  const places = [one, two, three].map((option) => options.indexOf(option as "w"));
  return worths[places.reduce((sum, place) => sum + place, 0) % worths.length] ?? NaN;
}

const combined = program({
  name: "combined",
  version: "1",
  input: { question: text("question") },
  output: { one: z.string(), two: z.string(), three: z.string() },
  predictors: { greet: predict(greet) },
  parameters: { one: choice([...options]), two: choice([...options]), three: choice([...options]) },
  forward: async ({ question }, { predictors, parameters: { one, two, three } }) => {
    // Each combination has requests of its own: recorded replies would answer all others.
    await predictors.greet({ question: `${question}: ${one}, ${two}, ${three}` });
    return { one, two, three };
  },
});

const right = metric<
  { readonly question: string },
  { readonly one: string; readonly two: string; readonly three: string },
  { readonly luck: number }
>({
  name: "right",
  version: "1",
  score: ({ example, output }) => scored(example.labels.luck < worthOf(output) ? 1 : 0),
});

const rows = (split: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${split}-${index}`,
    input: { question: `${split} ${index}` },
    labels: { luck: (index + 0.5) / count },
  }));

/** Three choices: every option of each is as good as any other, on average over the others. */
export const combinationStudy: Study = study({
  name: "combinations",
  program: combined,
  trainset: trainset({
    name: "combinations",
    version: "1",
    licence: "CC0-1.0",
    source: "generated for tests",
    splits: { train: rows("train", 40), val: rows("val", 60), test: rows("test", 2) },
  }),
  objective: right,
});
