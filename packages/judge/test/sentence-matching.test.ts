import { expect, test } from "vitest";
import type { Embedder } from "../../../src/index.ts";
import { sentenceMatching } from "../src/index.ts";
import { thrownBy } from "../../../test/support/thrown-by.ts";

/** Vectors in the plane, by sentence. */
function embedder(vectors: Readonly<Record<string, readonly number[]>>): Embedder {
  return {
    identity: { provider: "test", model: "plane" },
    doEmbed: async (texts) => ({
      vectors: texts.map((text) => Float32Array.from(vectors[text] ?? [])),
      usage: { promptTokens: 0 },
    }),
  };
}

const plane = embedder({
  "East.": [2, 0],
  "North.": [0, 3],
  "North-east.": [1, 1],
  "West.": [-1, 0],
});
const given = {
  response: "East. North.",
  reference: "North-east.",
  passages: ["East. West.", "North."],
};
const half = Math.SQRT1_2;

test("matches each sentence with the closest one of the other side", async () => {
  const { bertRecall, bertPrecisions } = await sentenceMatching({ embedder: plane }).doCompare(
    given,
  );
  expect(bertRecall).toBeCloseTo(half, 6);
  // East finds itself, North is at right angles to both; and the other way round.
  expect(bertPrecisions[0]).toBeCloseTo(0.5, 6);
  expect(bertPrecisions[1]).toBeCloseTo(0.5, 6);
});

test("rescales by a baseline, which is part of its version", async () => {
  const rescaled = sentenceMatching({ embedder: plane, baseline: 0.5 });
  const { bertRecall, bertPrecisions } = await rescaled.doCompare(given);
  expect(bertRecall).toBeCloseTo((half - 0.5) / 0.5, 6);
  expect(bertPrecisions[1]).toBeCloseTo(0, 6);
  expect(rescaled.version).not.toBe(sentenceMatching({ embedder: plane }).version);
});

test("has no value for a side without a sentence", async () => {
  const { doCompare } = sentenceMatching({ embedder: plane });
  expect(await doCompare({ ...given, passages: [" ", "North."] })).toMatchObject({
    bertPrecisions: [null, expect.closeTo(0.5, 6)],
  });
  expect(await doCompare({ ...given, response: "" })).toEqual({
    bertRecall: null,
    bertPrecisions: [null, null],
  });
});

test("takes a missing or broken vector for a fault of the server, never for a score", async () => {
  const broken: readonly (readonly Float32Array[])[] = [
    [],
    Array.from({ length: 5 }, () => new Float32Array()),
    Array.from({ length: 5 }, (_, index) => Float32Array.of(1, index === 2 ? NaN : 0)),
    Array.from({ length: 5 }, (_, index) => Float32Array.from(index === 2 ? [1] : [1, 0])),
    Array.from({ length: 4 }, () => Float32Array.of(1, 0)),
  ];
  for (const vectors of broken) {
    const { doCompare } = sentenceMatching({
      embedder: { ...plane, doEmbed: async () => ({ vectors, usage: { promptTokens: 0 } }) },
    });
    const error = await thrownBy(() =>
      doCompare({ ...given, passages: ["East. West.", "North. South."] }),
    );
    expect(error).toMatchObject({ code: "lm-bad-envelope" });
  }
});

test("refuses a baseline that nothing can be above", () => {
  for (const baseline of [1, -1, NaN]) {
    expect(() => sentenceMatching({ embedder: plane, baseline })).toThrow("`baseline` above -1");
  }
});
