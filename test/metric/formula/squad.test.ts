import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { exactMatchOf, normalizeAnswer, tokenF1Of } from "../../../src/metric/index.ts";
import { sharedData } from "../../support/shared-data.ts";

interface PythonFigures {
  readonly normalised: readonly (readonly [string, string])[];
  readonly pairs: readonly { prediction: string; gold: string; em: number; f1: number }[];
}

const python = JSON.parse(
  await readFile(new URL("../fixtures/qa-python.json", import.meta.url), "utf8"),
) as PythonFigures;

test.each(python.normalised)("normalises %j as Python does", (text, expected) => {
  expect(normalizeAnswer(text)).toBe(expected);
});

test.each(python.pairs)("scores $prediction against $gold as Python does", (pair) => {
  expect(exactMatchOf(pair.prediction, [pair.gold])).toBe(pair.em);
  expect(tokenF1Of(pair.prediction, [pair.gold])).toBeCloseTo(pair.f1, 15);
});

test("takes the best of several gold answers", () => {
  expect(exactMatchOf("NYC", ["New York", "the nyc."])).toBe(1);
  expect(tokenF1Of("New York City", ["NYC", "New York"])).toBeCloseTo(0.8, 15);
});

const examples = sharedData("mtrag-eval/worked_examples.json");

// The figures hold 6 decimals.
test.skipIf(examples.isAbsent)(
  `agrees with the recorded EM and F1 of the official code${examples.note}`,
  async () => {
    const { qa_em_f1_acc: rows } = JSON.parse(await readFile(examples.file, "utf8")) as {
      qa_em_f1_acc: { prediction: string; golds: string[]; em: number; f1: number }[];
    };
    expect(rows.length).toBe(16);
    const mismatches = rows.filter(
      ({ prediction, golds, em, f1 }) =>
        exactMatchOf(prediction, golds) !== em ||
        !(Math.abs(tokenF1Of(prediction, golds) - f1) <= 0.5e-6),
    );
    expect(mismatches).toEqual([]);
  },
);
