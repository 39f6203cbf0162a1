import type { Candidate, Study } from "espalier";
import { choice, int, predict, program, real, signature, study, text } from "espalier";
import { metric, scored } from "espalier/metric";
import { trainset } from "espalier/trainset";
import { z } from "zod";

/** For programs whose scores do not depend on replies. */
const greet = signature({
  name: "greet",
  instruction: "Greet.",
  input: { question: text("question", "What the user asks now.") },
  output: { answer: text("answer", "A greeting.") },
});

/** A program whose score depends on its parameters alone, although it asks the LM. */
const dials = program({
  name: "dials",
  version: "1",
  input: { question: text("question") },
  output: { level: z.number(), share: z.number(), mode: z.string() },
  predictors: { greet: predict(greet) },
  parameters: {
    level: int({ default: 1, min: 1, max: 9 }),
    k0: int({ default: 60, min: 1, max: 1000, isLogScale: true }),
    share: real({ default: 0.5, min: 0, max: 1 }),
    mode: choice(["plain", "loud"]),
  },
  forward: async ({ question }, { predictors, parameters: { level, k0, share, mode } }) => {
    // Each setting has requests of its own: those of another would be answered from the run's
    // replies.
    await predictors.greet({ question: `${question}: ${level}, ${k0}, ${share}, ${mode}` });
    return { level, share, mode };
  },
});

interface DialLabels {
  readonly level: number;
}

const nearness = metric<
  { readonly question: string },
  { readonly level: number; readonly share: number; readonly mode: string },
  DialLabels
>({
  name: "nearness",
  version: "1",
  score: ({ example, output: { level, share, mode } }) =>
    scored(
      (1 - Math.abs(level - example.labels.level) / 10) *
        (1 - Math.abs(share - 0.25) / 10) *
        (mode === "loud" ? 1 : 0.5),
    ),
});

const rows = Array.from({ length: 18 }, (_, index) => ({
  id: `dial-${index}`,
  input: { question: `Dial ${index}` },
  // On each third of the rows the mean of the wanted levels is 6.
  labels: { level: 5 + (index % 3) },
}));

/** Best at level 6, share .25 and mode loud, whatever k0. */
export const dialStudy: Study = study({
  name: "dials",
  program: dials,
  trainset: trainset({
    name: "dials",
    version: "1",
    licence: "CC0-1.0",
    source: "generated for tests",
    splits: { train: rows.slice(0, 3), val: rows.slice(3, 9), test: rows.slice(9, 12) },
  }),
  objective: nearness,
});

/** The same with a val of 12 examples, which is more than one minibatch. */
export const wideDialStudy: Study = study({
  ...dialStudy,
  trainset: trainset({
    name: "wide-dials",
    version: "1",
    licence: "CC0-1.0",
    source: "generated for tests",
    splits: {
      train: rows.slice(0, 3),
      val: [...rows.slice(3, 9), ...rows.slice(12)],
      test: rows.slice(9, 12),
    },
  }),
});

/** Examples of val: what one setting costs. */
export const perSetting = 6;

/** Values of the parameters of a candidate, by name. */
export function valuesOf(components: Candidate): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    components.flatMap(({ kind, path, value }) => (kind === "parameter" ? [[path, value]] : [])),
  );
}
