import { expect, test } from "vitest";
import { idkVerdictIn, ratingIn } from "../src/index.ts";

// What the official functions return for the same texts.
test.each([
  ["Rating: [[5]]", 0.5],
  ["Rating: [[4]] then Rating: [[9]]", 0.4],
  ["Rating: [[9]] and 3 out of 10", 0.3],
  ["[3] says so ... Rating: [[8.5]]", 0.85],
  ["Rating: [[0]]", 0.5],
  ["Rating: [[11]]", 0.5],
  ["[Rating]\n7", 0.7],
  ["Score: 8.6/10", 0.86],
  ['for example: "Rating: [[5]]"\nRating: [[9]]', 0.9],
  ["no rating", 0.5],
  [null, 0.5],
])("reads the rating in %j", (reply, rating) => {
  expect(ratingIn(reply)).toBeCloseTo(rating, 12);
});

test("reads the word a reply begins with, and none behind a sign", () => {
  expect(
    ["yes", "No, the", "Partially", "  partial\n", "unknown"].map((text) => idkVerdictIn(text)),
  ).toEqual([1, 0, 0.5, 0.5, 0.5]);
  expect(["**yes**", "[Output] yes", ""].map((text) => idkVerdictIn(text))).toEqual([
    "unknown",
    "unknown",
    "unknown",
  ]);
  expect(idkVerdictIn(null)).toBeNull();
  // Python takes this control character for white space.
  expect(idkVerdictIn("\u001Fyes")).toBe(1);
});
