import { expect, test } from "vitest";
import {
  accuracyOf,
  compoundAccuracyOf,
  exactMatchOf,
  extractivenessOf,
  harmonicMeanOf,
  rougeLOf,
  tokenF1Of,
  tokenOverlapOf,
} from "../../src/metric/index.ts";

// The figures are those of the official Python code, by way of the worked examples.
test.each([
  ["King Harold II of England", "Harold II", 0, 0.571429, 1],
  ["no, it is not", "no", 0, 0.4, 1],
  ["A", "the", 1, 1, 1],
  ["", "x", 0, 0, 0],
])("scores %j against %j as the official scripts do", (prediction, gold, em, f1, acc) => {
  expect(exactMatchOf(prediction, [gold])).toBe(em);
  expect(tokenF1Of(prediction, [gold])).toBeCloseTo(f1, 6);
  expect(accuracyOf(prediction, [gold])).toBe(acc);
});

test("takes the best of several golds, and none for 0", () => {
  expect(accuracyOf("In New York City", ["NYC", "New York"])).toBe(1);
  expect(tokenF1Of("New York City", ["NYC", "New York"])).toBeCloseTo(0.8, 12);
  expect([accuracyOf("x", []), tokenF1Of("x", []), compoundAccuracyOf("x", [])]).toEqual([0, 0, 0]);
});

test("counts the parts of a compound gold that the answer contains", () => {
  expect(compoundAccuracyOf("He succeeded in 1651.", ["1651 && Rachael"])).toBe(0.5);
  expect(compoundAccuracyOf("In 1651; his wife was Rachael Fane", ["1651 && Rachael"])).toBe(1);
  expect(compoundAccuracyOf("He succeeded in 1651.", ["1651 && Rachael", "1651"])).toBe(1);
});

test("computes ROUGE-L as rouge_score does without a stemmer", () => {
  expect(rougeLOf("the cat sat on the mat", "the cat is on the mat")).toBeCloseTo(5 / 6, 12);
  expect(rougeLOf("a b c d", "a c b d")).toBe(0.75);
  expect(rougeLOf("Café au lait", "cafe au lait")).toBeCloseTo(2 / 3, 12);
  expect([rougeLOf("", ""), rougeLOf("Yes", "No")]).toEqual([0, 0]);
});

test("shares tokens as the official recall and k-precision do", () => {
  const both = (prediction: string, reference: string) => {
    const { recall, precision } = tokenOverlapOf(prediction, reference);
    return [recall, precision];
  };
  expect(both("Paris", "The capital is Paris, France.")).toEqual([0.25, 1]);
  expect(both("", "")).toEqual([0, 0]);
  expect(both("a the an", "a")).toEqual([0, 0]);
});

test("measures how much of an answer is copied, across the borders of spans", () => {
  const tower = "the tower is 330 metres tall and very famous today";
  expect(extractivenessOf({ answer: tower, spans: ["The tower is 330 metres tall."] })).toBe(2 / 7);
  const spans = ["alpha beta gamma", "delta epsilon zeta"];
  expect(extractivenessOf({ answer: "alpha beta gamma delta epsilon zeta", spans })).toBe(1);
  expect(extractivenessOf({ answer: "a b c", spans: ["a b c"] })).toBe(0);
  expect(extractivenessOf({ answer: "a b c", spans: ["a b c"], n: 3 })).toBe(1);
});

test("takes the harmonic mean of three means as published", () => {
  expect(harmonicMeanOf([0.2707, 0.4722, 0.4675])).toBeCloseTo(0.37731527777, 10);
  expect([harmonicMeanOf([1, 0, 1]), harmonicMeanOf([])]).toEqual([0, 0]);
});
