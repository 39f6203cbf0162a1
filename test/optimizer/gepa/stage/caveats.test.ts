import { describe, expect, it } from "vitest";
import type { OptimizerEvent, TextOptimizationResult } from "espalier/optimizer";
import { customProposer, defaultChecks, optimizeTexts } from "espalier/optimizer";
import { doubtAbout } from "../../../../src/optimizer/gepa/strategy/acceptance.ts";
import { gepaWith } from "../../support/gepa-with.ts";

const seed = "Answer the question. Do not name persons.";
const dropping = "Answer the question in one sentence.";
const keeping = "Answer the question in one sentence. Never name persons.";

/** Proposes one text, which gains a point on so many of val's examples, those with low numbers. */
async function proposing(
  text: string,
  { gains, val, checks }: { gains: number; val: number; checks?: [] },
): Promise<{ result: TextOptimizationResult; events: readonly OptimizerEvent[] }> {
  const events: OptimizerEvent[] = [];
  const examples = (prefix: string, count: number): Record<string, { number: number }> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, number) => [`${prefix}${number}`, { number }]),
    );
  const result = await optimizeTexts(
    {
      name: "caveats",
      version: "1",
      texts: { answer: seed },
      train: examples("t", 3),
      val: examples("v", val),
      evaluate: ({ answer }, { number }, { exampleId }) => {
        const isBetter = answer !== seed && (exampleId.startsWith("t") || number < gains);
        return { score: isBetter ? 0.75 : 0.25, feedback: "Use one sentence." };
      },
    },
    {
      optimizer: gepaWith({
        proposer: customProposer("one", () => text),
        maxIdleIterations: 1,
        ...(checks && { checks }),
      }),
      budget: { metricCalls: 300, reflectionCalls: 1 },
      onEvent: (event) => {
        if (event.kind !== "progress") events.push(event);
      },
    },
  );
  return { result, events };
}

describe("a text that drops a sentence that forbids", () => {
  it("is refused with a gain that chance explains, and the sentence is named", async () => {
    const { result } = await proposing(dropping, { gains: 5, val: 12 });
    expect(result.candidates).toHaveLength(1);
    expect(result.rejections).toMatchObject([
      {
        reason: "not-better-on-val",
        detail:
          '0.2083 better than its parent on val. The 95 % interval of that gain reaches 0 (sign-flip test, one-sided p = 0.031). It drops a sentence that forbids something: "Do not name persons."',
      },
    ]);
  });

  it("is accepted with a clear gain", async () => {
    const { result } = await proposing(dropping, { gains: 6, val: 12 });
    expect(result.candidates).toHaveLength(2);
    expect(result.texts).toEqual({ answer: dropping });
  });

  it("is refused where it only ties, before anything is run for it on train", async () => {
    const { result } = await proposing(dropping, { gains: 0, val: 12 });
    expect(result.candidates).toHaveLength(1);
    expect(result.rejections[0]?.detail).toContain("No better than its parent on val. It drops");
    expect((await proposing(keeping, { gains: 0, val: 12 })).result.candidates).toHaveLength(2);
  });

  it("is accepted like any other if it keeps the prohibition in other words", async () => {
    const { result } = await proposing(keeping, { gains: 1, val: 12 });
    expect(result.candidates).toHaveLength(2);
  });

  it("is accepted like any other by a search without checks", async () => {
    const { result } = await proposing(dropping, { gains: 1, val: 12, checks: [] });
    expect(result.candidates).toHaveLength(2);
    expect(defaultChecks().filter(({ caveat }) => caveat !== undefined)).toHaveLength(1);
  });
});

describe("doubtAbout", () => {
  const noDraws = (): never => {
    throw new Error("No draw was expected.");
  };

  it("takes six examples that all gain", () => {
    const gaining = (count: number) => ({
      parent: Array.from({ length: 9 }, () => 0),
      child: Array.from({ length: 9 }, (_, index) => (index < count ? 1 : 0)),
    });
    expect(doubtAbout(gaining(5), noDraws)).toContain("p = 0.031");
    expect(doubtAbout(gaining(6), noDraws)).toBeNull();
    // Of 256 sign patterns, 9 sum up to 6 or more.
    const parent = [0, 0, 0, 0, 0, 0, 0, 1];
    const child = [1, 1, 1, 1, 1, 1, 1, 0];
    expect(doubtAbout({ parent, child }, noDraws)).toContain("p = 0.035");
  });
});
