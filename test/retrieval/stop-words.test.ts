import { describe, expect, it } from "vitest";
import { bm25Index, englishStopWords } from "espalier/retrieval";
import { shelf } from "./shelf.ts";

async function found(query: string, stopWords: readonly string[]) {
  await using index = await bm25Index({ corpus: shelf, stopWords });
  return (await index.doRetrieve({ query, k: 50 }, {})).map(({ id, score }) => [id, score]);
}

describe("stop words of an index", () => {
  it("are not looked for, whatever their case", async () => {
    expect(await found("The storms of the year", englishStopWords)).toEqual(
      await found("storms year", []),
    );
    expect(await found("the storms", [])).not.toEqual(await found("storms", []));
  });

  it("are looked for in a query that has nothing else", async () => {
    expect(await found("to be", englishStopWords)).toEqual(await found("to be", []));
    expect((await found("the", englishStopWords)).length).toBeGreaterThan(0);
  });

  it("make an index of another version", async () => {
    await using plain = await bm25Index({ corpus: shelf });
    await using english = await bm25Index({ corpus: shelf, stopWords: englishStopWords });
    expect(english.version).not.toBe(plain.version);
  });
});
