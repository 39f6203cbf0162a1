import { expect, it } from "vitest";
import { gepa, optimizeTexts } from "espalier/optimizer";
import { mean } from "../../../../src/statistics/index.ts";
import { scriptedLm } from "../../../support/scripted-lm.ts";
import { answerOnCauses, mixedCauses } from "../support/mixed-causes.ts";

/** Share of the failures to come that a search prevents. */
async function quality(seed: number, failureModes: false | object): Promise<number> {
  await using server = await scriptedLm(answerOnCauses);
  const { texts } = await optimizeTexts(
    mixedCauses(seed, { train: 100, val: 20, sentences: 300 }),
    {
      optimizer: gepa({ seed, reflection: { failureModes } }),
      budget: { metricCalls: 150 },
      reflectionLm: server.lm,
    },
  );
  const { val, evaluate } = mixedCauses(seed, { train: 1, val: 400 });
  const scores = Object.entries(val).map(async ([exampleId, example]) =>
    evaluate(texts, example, { exampleId, repetition: 0, signal: new AbortController().signal }),
  );
  return mean((await Promise.all(scores)).map(({ score }) => score));
}

// Few examples fit into a request, so those shown seldom have the most frequent cause in common.
it("prevents more failures where a request shows few of them, each with its own feedback", async () => {
  const gains: number[] = [];
  for (let seed = 0; seed < 40; seed++) {
    gains.push((await quality(seed, {})) - (await quality(seed, false)));
  }
  expect(mean(gains)).toBeGreaterThan(0.03);
});
