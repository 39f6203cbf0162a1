import { expect, test } from "vitest";
import { placeboLimits } from "./support/placebo-limits.ts";
import type { SearchRow } from "./support/placebo-searches.ts";

const rowOf = (search: string, feedback: string, difference: number, seed = 0): SearchRow => ({
  search,
  feedback,
  seed,
  accepted: 1,
  refused: {},
  before: 0.2,
  after: 0.2 + difference,
  difference,
  interval: { low: difference - 0.1, high: difference + 0.1 },
  verdict: "undecided",
});
const searches = ["gepa", "mipro-v2"];
const feedbacks: readonly SearchRow[] = searches.flatMap((search) => [
  rowOf(search, "real", 0.5),
  rowOf(search, "blanked", 0),
  rowOf(search, "shuffled", 0),
]);
const demonstrations: readonly SearchRow[] = ["bootstrap-few-shot", "mipro-v2"].flatMap(
  (search) => [rowOf(search, "found", 0.5), rowOf(search, "dealt", 0)],
);

const missedWith = (added: Partial<Parameters<typeof placeboLimits>[0]>): readonly string[] =>
  placeboLimits({ feedbacks, demonstrations, ...added }).flatMap(([limit, outcome]) =>
    outcome === "kept" ? [] : [limit],
  );

test("a placebo that brings nothing keeps every limit", () => {
  expect(missedWith({})).toEqual([]);
  // Four of each search, and two of each search of demonstrations.
  expect(placeboLimits({ feedbacks, demonstrations })).toHaveLength(2 * 4 + 2 * 2);
});

test.each<readonly [string, SearchRow]>([
  ["gepa: real feedback", rowOf("gepa", "real", 0.05, 1)],
  ["gepa: blanked feedback", rowOf("gepa", "blanked", 0.11, 1)],
  ["mipro-v2: real feedback", rowOf("mipro-v2", "real", 0.1, 1)],
  ["mipro-v2: dealt feedback brings no more", rowOf("mipro-v2", "shuffled", 0.01, 1)],
])("a limit is missed by one seed: %s", (limit, row) => {
  expect(missedWith({ feedbacks: [...feedbacks, row] })).toEqual([expect.stringContaining(limit)]);
});

test("what is dealt in place of feedback counts as a gain by its interval, too", () => {
  const row = rowOf("mipro-v2", "shuffled", 0.11, 1);
  expect(missedWith({ feedbacks: [...feedbacks, row] })).toEqual([
    expect.stringContaining("dealt feedback brings no more than blanked"),
    expect.stringContaining("dealt feedback: the interval"),
  ]);
});

test.each<readonly [string, SearchRow]>([
  ["mipro-v2: demonstrations as found", rowOf("mipro-v2", "found", 0.05, 1)],
  ["mipro-v2: demonstrations dealt", rowOf("mipro-v2", "dealt", 0.11, 1)],
])("a limit of demonstrations is missed by one seed: %s", (limit, row) => {
  expect(missedWith({ demonstrations: [...demonstrations, row] })).toEqual([
    expect.stringContaining(limit),
  ]);
});

test("what was not measured is unchecked", () => {
  const limits = placeboLimits({
    feedbacks: feedbacks.filter(({ search }) => search !== "gepa"),
    demonstrations: [],
  });
  expect(limits.flatMap(([limit, outcome]) => (outcome === "unchecked" ? [limit] : []))).toEqual([
    expect.stringContaining("gepa: real feedback"),
    expect.stringContaining("gepa: dealt feedback brings no more"),
    expect.stringContaining("gepa: blanked feedback"),
    expect.stringContaining("gepa: dealt feedback"),
    expect.stringContaining("bootstrap-few-shot: demonstrations as found"),
    expect.stringContaining("bootstrap-few-shot: demonstrations dealt"),
    expect.stringContaining("mipro-v2: demonstrations as found"),
    expect.stringContaining("mipro-v2: demonstrations dealt"),
  ]);
});
