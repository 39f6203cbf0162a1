import { expect, test } from "vitest";
import { rememberedStems } from "../../../src/retrieval/rerank/lexical-reranker.ts";
import { stemmer } from "../../../src/retrieval/lexical/stemmed-words.ts";

const texts = Array.from({ length: 30 }, (_, index) => `Ships number ${index % 12} were sailing.`);

test("remembered stems are those of the stemmer, and no text that was met lately is stemmed again", () => {
  const plain = stemmer();
  const asked: (readonly string[])[] = [];
  const remembered = rememberedStems((given) => {
    asked.push(given);
    return plain(given);
  }, 12);
  const sorted = (stems: readonly (readonly string[])[]) => stems.map((each) => each.toSorted());
  const expected = sorted(plain(texts));
  for (let call = 0; call < 3; call++) expect(sorted(remembered(texts))).toEqual(expected);
  expect(asked.map(({ length }) => length)).toEqual([12, 0, 0]);
  // One more than are kept: the one that was not met for longest goes.
  remembered(["Another ship."]);
  remembered(texts.slice(7, 18).filter((text) => text !== texts[6]));
  expect(asked.at(-1)).toEqual([]);
  remembered(texts.slice(0, 12));
  expect(asked.at(-1)).toEqual([texts[6]]);
});
