import { describe, expect, it } from "vitest";
import { bm25Index } from "espalier/retrieval";
import { shelf } from "./shelf.ts";

const scoresOf = async (query: string, countsRepeats: boolean) => {
  await using index = await bm25Index({ corpus: shelf, countsRepeats });
  const found = await index.doRetrieve({ query, k: 50 }, {});
  return new Map(found.map(({ id, score }) => [id, score]));
};

describe("a word that a query repeats", () => {
  it("counts once unless it is told to count", async () => {
    expect(await scoresOf("iron iron bridge footbridge", false)).toEqual(
      await scoresOf("iron bridge footbridge", false),
    );
  });

  // BM25 multiplies a term's share by its frequency in the query, where none is set for that (k3).
  it("adds its share as often as it stands there where it counts", async () => {
    const once = await scoresOf("storms", true);
    const thrice = await scoresOf("storms Storms storms", true);
    expect(once.size).toBeGreaterThan(1);
    for (const [id, score] of once) expect(thrice.get(id)).toBeCloseTo(3 * score, 9);
  });

  it("makes an index of another version", async () => {
    await using plain = await bm25Index({ corpus: shelf });
    await using counting = await bm25Index({ corpus: shelf, countsRepeats: true });
    expect(counting.version).not.toBe(plain.version);
  });
});
