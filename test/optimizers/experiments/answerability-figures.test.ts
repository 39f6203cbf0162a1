import { expect, test } from "vitest";
import type { Score } from "espalier";
import { answerabilityFigures } from "../../../optimizers/experiments/support/answerability-figures.ts";

const score: Score = { kind: "scored", value: 0, feedback: "" };

function turn(label: string, route?: string) {
  const example = { id: "1", input: {}, labels: { answerability: label } };
  return { example, score, ...(route !== undefined && { output: { route } }) };
}

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
    const recalls = answerabilityFigures.slice(0, 2);
    expect(recalls.map(({ of }) => of(turn(label, route)))).toEqual(expected);
  },
);

test("the F1 of refusals follows from the confusion matrix", () => {
  const f1 = answerabilityFigures[2];
  const f1Of = (turns: readonly (readonly [string, string?])[]) =>
    f1?.aggregate?.(turns.flatMap((each) => f1.of(turn(...each)) ?? []));
  const answerable = Array.from({ length: 94 }, () => ["ANSWERABLE", "generated"] as const);
  const rest = [
    ...Array.from({ length: 6 }, () => ["ANSWERABLE", "refusal"] as const),
    ...Array.from({ length: 2 }, () => ["UNANSWERABLE", "refusal"] as const),
    ...Array.from({ length: 8 }, () => ["UNANSWERABLE", "generated"] as const),
    ["PARTIAL", "refusal"] as const,
    ["UNANSWERABLE"] as const,
  ];
  // Precision 2/8, recall 2/10.
  expect(f1Of([...answerable, ...rest])).toBeCloseTo((2 * 0.25 * 0.2) / 0.45, 12);
  // As the paper has it for a system that always answers.
  expect(f1Of(answerable)).toBe(0);
});
