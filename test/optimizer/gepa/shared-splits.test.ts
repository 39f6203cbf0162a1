import { describe, expect, it } from "vitest";
import { optimizeTexts } from "espalier/optimizer";
import { directedProposer, keywordTask, textsOf } from "./support/keyword-task.ts";
import { gepaWith } from "../support/gepa-with.ts";

describe("a task whose train selects", () => {
  it.each(["trace"] as const)(
    "learns by %s from the seed's very evaluation, which is not made twice",
    async (scoreReuse) => {
      const { task, calls } = keywordTask({ sharesSplits: true });
      const { candidates } = await optimizeTexts(task, {
        optimizer: gepaWith({ proposer: directedProposer(), scoreReuse }),
        // The seed takes 12.
        budget: { metricCalls: 40 },
      });
      expect(candidates.length).toBeGreaterThan(1);
      const [seed, first] = candidates;
      expect(Object.keys(seed?.selection.scores ?? {})).toEqual(Object.keys(task.train));
      // No more than the seed's, and a re-run that checks scoreReuse.
      expect(first?.metricCallsBefore).toBeLessThanOrEqual(13);
      expect(calls.length).toBeLessThanOrEqual(40);
    },
  );
});

describe("texts whose names have a dot", () => {
  it("have the scores of a full evaluation from scratch", async () => {
    const { task, judge } = keywordTask({ seed: 1 });
    const dotted = (name: string): string => `prompts.${name}`;
    const plain = (name: string): string => name.slice("prompts.".length);
    const renamed = (
      held: Readonly<Record<string, string>>,
      rename: (name: string) => string,
    ): Record<string, string> =>
      Object.fromEntries(Object.entries(held).map(([name, text]) => [rename(name), text]));
    const { candidates, neverInvoked } = await optimizeTexts(
      {
        ...task,
        texts: renamed(task.texts, dotted),
        evaluate: (texts, _, { exampleId }) => {
          const { feedback, ran = [], ...said } = judge(renamed(texts, plain), exampleId);
          return {
            ...said,
            ran: ran.map(dotted),
            ...(typeof feedback === "object" && { feedback: renamed({ ...feedback }, dotted) }),
          };
        },
      },
      { optimizer: gepaWith({ proposer: directedProposer() }), budget: { metricCalls: 220 } },
    );
    expect(candidates.length).toBeGreaterThan(2);
    expect(neverInvoked).toEqual([]);
    for (const { components, selection } of candidates) {
      const texts = renamed(textsOf(components), plain);
      expect(selection.scores).toEqual(
        Object.fromEntries(Object.keys(task.val).map((id) => [id, judge(texts, id).score])),
      );
    }
  });
});
