import { describe, expect, it } from "vitest";
import type { Passage } from "espalier";
import { bm25Index } from "espalier/retrieval";

// None of these words is changed by stemming.
const passages: readonly Passage[] = [
  { id: "d1", title: "iron", text: "iron iron gate north tower" },
  { id: "d2", title: "salt road", text: "the salt cart took the iron pan" },
  { id: "d3", title: "north", text: "north wind north rain cold" },
  { id: "d4", text: "plum and pear and oak" },
  { id: "d5", text: "a gate, a tower, a wall and a long long road to the sea and back" },
  { id: "d6", title: "oak", text: "wood" },
  { id: "d7", text: "glass" },
];

/**
 * BM25 as SQLite documents it: k1 1.2, b .75, title and text alike.
 */
function referenceScore(passage: Passage, words: readonly string[]): number {
  const tokens = (text = "") => text.match(/\w+/g) ?? [];
  const wordsOf = ({ title, text }: Passage) => [...tokens(title), ...tokens(text)];
  const mean = passages.flatMap(wordsOf).length / passages.length;
  const norm = 1.2 * (0.25 + (0.75 * wordsOf(passage).length) / mean);
  const times = (text: string | undefined, word: string) =>
    tokens(text).filter((token) => token === word).length;
  return words.reduce((sum, word) => {
    const holders = passages.filter((other) => wordsOf(other).includes(word)).length;
    const idf = Math.log((passages.length - holders + 0.5) / (holders + 0.5));
    const count = times(passage.title, word) + times(passage.text, word);
    return sum + (idf * count * 2.2) / (count + norm);
  }, 0);
}

describe("a BM25 index", () => {
  it("scores by the formula", async () => {
    await using index = await bm25Index({ corpus: passages });
    const words = ["iron", "north", "oak"];
    const found = await index.doRetrieve({ query: "Oak, IRON; north iron?", k: 10 }, {});
    const expected = passages
      .map((passage) => ({ id: passage.id, score: referenceScore(passage, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((left, right) => right.score - left.score);
    expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    for (const [index, { score }] of found.entries()) {
      expect(score).toBeCloseTo(expected[index]?.score ?? 0, 12);
    }
  });

  it("finds other forms of a word, in any case, with or without diacritics", async () => {
    const corpus = [
      { id: "a", text: "The bakeries CLOSED early." },
      { id: "b", text: "Un café près du château" },
      { id: "c", text: "nothing" },
    ];
    await using index = await bm25Index({ corpus });
    const first = async (query: string) =>
      (await index.doRetrieve({ query, k: 1 }, {})).map(({ id }) => id);
    expect(await first("bakery")).toEqual(["a"]);
    expect(await first("closing")).toEqual(["a"]);
    expect(await first("CAFE")).toEqual(["b"]);
    expect(await first("cafés")).toEqual(["b"]);
    expect(await first("chateau")).toEqual(["b"]);
  });

  it("breaks ties by id, whatever the order of the corpus", async () => {
    const corpus = ["c", "a", "B", "10", "9"].map((id) => ({ id, text: `pear ${"x".repeat(3)}` }));
    const others = Array.from({ length: 9 }, (_, index) => ({ id: `z${index}`, text: "plum" }));
    await using index = await bm25Index({ corpus: [...corpus, ...others] });
    const found = await index.doRetrieve({ query: "pear", k: 10 }, {});
    expect(found.map(({ id }) => id)).toEqual(["10", "9", "B", "a", "c"]);
  });

  it("puts passages that share only frequent words behind the others, and finds them", async () => {
    await using index = await bm25Index({ corpus: passages });
    // No word stands in half of the passages; one more does.
    const corpus = passages.map((passage) => ({ ...passage, text: `${passage.text} town` }));
    await using towns = await bm25Index({ corpus });
    const plain = await index.doRetrieve({ query: "glass gate", k: 7 }, {});
    const found = await towns.doRetrieve({ query: "town glass gate", k: 7 }, {});
    expect(found.slice(0, 3).map(({ id }) => id)).toEqual(plain.map(({ id }) => id));
    expect(found).toHaveLength(7);
    expect(found.slice(3).every(({ score }) => score < 1e-4)).toBe(true);
    const alone = await towns.doRetrieve({ query: "town", k: 3 }, {});
    expect(alone).toHaveLength(3);
  });

  it("stays best first when words without weight add up to more than a rare word in a long passage", async () => {
    const frequent = Array.from({ length: 30 }, (_, index) => `town${index}`).join(" ");
    const corpus = Array.from({ length: 1_000 }, (_, index) => ({
      id: `${index}`,
      text: index < 499 ? `${frequent} pear ${"x ".repeat(index === 0 ? 50_000 : 0)}` : frequent,
    }));
    await using index = await bm25Index({ corpus });
    const found = await index.doRetrieve({ query: `${frequent} pear`, k: 1_000 }, {});
    const scores = found.map(({ score }) => score);
    expect(found.findIndex(({ id }) => id === "0")).toBe(498);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
  });

  it("uses the first 256 distinct words of a query", async () => {
    await using index = await bm25Index({ corpus: passages });
    const filler = Array.from({ length: 256 }, (_, word) => `filler${word}`);
    const query = (fillers: number) =>
      [...filler.slice(0, fillers), "filler0", "FILLER1", "glass"].join(" ");
    expect(await index.doRetrieve({ query: query(255), k: 1 }, {})).toHaveLength(1);
    expect(await index.doRetrieve({ query: query(256), k: 1 }, {})).toEqual([]);
  });

  it("gives title, text and metadata back as they were", async () => {
    const passage = {
      id: "odd \u0000 id",
      title: "Ein „Titel“",
      text: "pear\u0000 after NUL 🗼\n",
      metadata: { deep: [{ list: [1, null, "é"] }], url: "https://x.example" },
    };
    await using index = await bm25Index({
      corpus: [passage, { id: "b", text: "plum" }, { id: "c", text: "fig" }],
    });
    const [{ score: _, ...found } = { score: 0 }] = await index.doRetrieve(
      { query: "pear", k: 1 },
      {},
    );
    expect(found).toEqual(passage);
  });

  it("says what it holds", async () => {
    await using index = await bm25Index({ corpus: passages });
    expect(index.inspect()).toEqual({
      path: ":memory:",
      version: 1,
      tokenizer: "porter unicode61",
      checksum: index.checksum,
      size: 7,
      titled: 4,
      stems: 25,
      fields: {},
      embeddings: [],
      examples: passages.slice(0, 3),
    });
    expect(index.documentFrequency("gate")).toBe(2);
    expect(index.documentFrequency("absent")).toBe(0);
  });

  it("has a version that changes with corpus and reading of queries", async () => {
    const versions = new Set<string>();
    for (const options of [
      { corpus: passages },
      { corpus: passages.slice(1) },
      { corpus: passages, countsRepeats: true },
      { corpus: passages, stopWords: ["iron"] },
    ]) {
      await using index = await bm25Index(options);
      versions.add(index.version);
    }
    expect(versions.size).toBe(4);
    await using again = await bm25Index({ corpus: passages.toReversed(), name: "other" });
    expect(versions.has(again.version)).toBe(true);
  });
});
