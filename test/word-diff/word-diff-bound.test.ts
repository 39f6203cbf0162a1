import type { DiffArraysOptionsAbortable } from "diff";
import { afterAll, expect, test, vi } from "vitest";

const { comparisons } = vi.hoisted(() => ({ comparisons: { count: 0 } }));

// The package as it is, with an ear on how often it compares two words.
vi.mock("diff", async (importOriginal) => {
  const original = await importOriginal<typeof import("diff")>();
  const counting = <TItem>(
    before: TItem[],
    after: TItem[],
    options: DiffArraysOptionsAbortable<TItem>,
  ) =>
    original.diffArrays(before, after, {
      ...options,
      comparator: (left, right) => {
        comparisons.count += 1;
        return options.comparator?.(left, right) ?? left === right;
      },
    });
  return { ...original, diffArrays: counting };
});

// Other files of the same worker have loaded the module, without the ear.
vi.resetModules();
const { wordDiff } = await import("../../src/word-diff/word-diff.ts");
afterAll(() => {
  vi.doUnmock("diff");
  vi.resetModules();
});

const words = (count: number, nameOf: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => nameOf(index)).join(" ");

function comparisonsOf(before: string, after: string): number {
  comparisons.count = 0;
  wordDiff(before, after);
  return comparisons.count;
}

// A table of all pairs would take 36 million of them for 6,000 words.
test("texts of 6,000 words, one in twenty changed, cost few comparisons of words", () => {
  const [before, after] = ["old", "new"].map((name) =>
    words(6_000, (index) => (index % 20 === 0 ? `${name}${index}` : `word${index}`)),
  );
  const count = comparisonsOf(before ?? "", after ?? "");
  expect(count).toBeGreaterThan(5_700);
  expect(count).toBeLessThan(1_100_000);
});

test("texts that share no word cost no more comparisons, the longer they are", () => {
  const [short, long] = [6_000, 24_000].map((count) =>
    comparisonsOf(
      words(count, (index) => `old${index}`),
      words(count, (index) => `new${index}`),
    ),
  );
  expect(short).toBeLessThan(1_100_000);
  expect(long).toBe(short);
});
