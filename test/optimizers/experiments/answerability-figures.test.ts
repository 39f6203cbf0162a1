import { expect, test } from "vitest";
import type { Score } from "espalier";
import { answerabilityFigures } from "../../../optimizers/experiments/support/answerability-figures.ts";

const score: Score = { kind: "scored", value: 0, feedback: "" };

test.each([
  ["ANSWERABLE", "generated", [1, null]],
  ["ANSWERABLE", "refusal", [0, null]],
  ["UNANSWERABLE", "refusal", [null, 1]],
  ["UNANSWERABLE", "forced", [null, 0]],
  // Neither counts what is answerable in part, and a run that failed says nothing.
  ["PARTIAL", "refusal", [null, null]],
  ["ANSWERABLE", undefined, [null, null]],
])(
  "of a turn that is %s and ends with a route %s, the recalls are %j",
  (label, route, expected) => {
    const example = { id: "1", input: {}, labels: { answerability: label } };
    const row = { example, score, ...(route !== undefined && { output: { route } }) };
    expect(answerabilityFigures.map(({ of }) => of(row))).toEqual(expected);
  },
);
