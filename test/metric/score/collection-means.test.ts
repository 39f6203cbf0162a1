import { expect, test } from "vitest";
import { collectionMeans } from "../../../src/metric/index.ts";

test("weighs rounded collection means by predictions, and gives the plain mean beside it", () => {
  const queries = [
    { collection: "cloud", value: 1 },
    { collection: "cloud", value: 0 },
    { collection: "cloud", value: 0 },
    { collection: "fiqa", value: 1 },
    { collection: "fiqa", value: null },
  ];
  expect(collectionMeans(queries)).toEqual({
    collections: [
      { collection: "cloud", mean: 0.33333, judged: 3, predictions: 3 },
      { collection: "fiqa", mean: 1, judged: 1, predictions: 2 },
    ],
    all: (0.33333 * 3 + 1 * 2) / 5,
    plain: 0.5,
  });
});

// Python 3.11: round(1/64, 5) == 0.01562, round(3/64, 5) == 0.04688, round(63/64, 5) == 0.98438,
// round(0.000005, 5) == 1e-05, round(0.123455, 5) == 0.12345.
test.each([
  [1 / 64, 0.01562],
  [3 / 64, 0.04688],
  [63 / 64, 0.98438],
  [0.000005, 0.00001],
  [0.123455, 0.12345],
])("rounds %d as Python does", (value, rounded) => {
  expect(collectionMeans([{ collection: "c", value }]).collections[0]?.mean).toBe(rounded);
});

test("leaves a collection without judgements out of everything", () => {
  const unjudged = { collection: "govt", value: null };
  expect(collectionMeans([unjudged])).toEqual({ collections: [], all: null, plain: null });
  expect(collectionMeans([unjudged, { collection: "c", value: 0.5 }])).toMatchObject({
    all: 0.5,
    plain: 0.5,
  });
});
