import { describe, expect, it } from "vitest";
import type { OptimizerEvent, OptimizerProgress, TextOptimizationResult } from "espalier/optimizer";
import { optimizeTexts, paretoParent } from "espalier/optimizer";
import {
  anyOnVal,
  commonAncestorMerge,
  epochMinibatches,
} from "../../../conformance/reference/index.ts";
import { directedProposer, keywordTask } from "../support/keyword-task.ts";
import type { FlatGepaOptions } from "../../support/gepa-with.ts";
import { gepaWith } from "../../support/gepa-with.ts";

const seeds = Array.from({ length: 12 }, (_, seed) => seed);

describe("behaviour 17: merging in a run", () => {
  it("defect D5: accepts no more merges than maxMerges, where earning alone would allow more", async () => {
    const capped = commonAncestorMerge({ maxMerges: 1 });
    const asReference = {
      ...capped,
      isDue: ({ due, isNewSince }: Parameters<typeof capped.isDue>[0]) => due > 0 && isNewSince,
    };
    const count = async (merge: typeof capped): Promise<readonly number[]> =>
      Promise.all(seeds.map(async (seed) => mergesOf(await search(seed, { merge })).length));
    expect(Math.max(...(await count(capped)))).toBe(1);
    expect(Math.max(...(await count(asReference)))).toBeGreaterThan(1);
  });

  it("brings candidates of two parents, with the texts of both and the scores of a full evaluation", async () => {
    let merges = 0;
    for (const seed of seeds) {
      const { result, judge } = await search(seed);
      for (const { parents, components, selection } of mergesOf({ result })) {
        merges++;
        const [one, other] = parents.map((id) => result.candidates[id]?.components ?? []);
        for (const [index, { value }] of components.entries()) {
          expect([one?.[index]?.value, other?.[index]?.value]).toContain(value);
        }
        const texts = Object.fromEntries(
          components.map(({ path, value }) => [path, value as string]),
        );
        for (const [id, score] of Object.entries(selection.scores)) {
          expect(score).toBe(judge(texts, id).score);
        }
      }
      const held = result.candidates.map(({ components }) => JSON.stringify(components));
      expect(new Set(held).size).toBe(held.length);
    }
    expect(merges).toBeGreaterThan(5);
  });

  it("reflects on nothing in an iteration that merges, and merges only after reflection brought a candidate", async () => {
    for (const seed of seeds) {
      const iterations = iterationsOf((await search(seed)).events);
      for (const [index, events] of iterations.entries()) {
        const proposals = events.filter((event) => event.kind === "candidate-proposed");
        if (!proposals.some(({ parents }) => parents.length === 2)) continue;
        expect(proposals).toHaveLength(1);
        const before = iterations[index - 1] ?? [];
        const brought = before.filter((event) => event.kind === "candidate-accepted");
        expect(brought.map(({ parents }) => parents.length)).toContain(1);
      }
    }
  });

  it("refuses a child that falls behind the better of its parents, after the examples it was tried on", async () => {
    let refused = 0;
    for (const seed of [...seeds, 12, 13, 14, 15, 16, 17, 18, 19]) {
      for (const events of iterationsOf((await search(seed, { scoreReuse: "none" })).events)) {
        const fate = events.find(
          (event) =>
            (event.kind === "candidate-refused" || event.kind === "candidate-accepted") &&
            event.parents.length === 2,
        );
        if (fate === undefined) continue;
        const sizes = events.flatMap((event) =>
          event.kind === "candidate-evaluated" ? [Object.keys(event.scores).length] : [],
        );
        const reason = fate.kind === "candidate-refused" ? fate.reason : "none";
        if (reason === "not-better") refused++;
        // A merge that does not fit the budget is not begun.
        const expected = { none: [5, 10], "not-better": [5], "not-selected": [] };
        expect(sizes).toEqual(expected[reason as keyof typeof expected]);
      }
    }
    expect(refused).toBeGreaterThan(0);
  });

  it("keeps the budget's cap, and does not begin a merge that could exceed it", async () => {
    for (const metricCalls of [60, 61, 62, 63, 64, 65, 90, 91, 92, 93, 94, 95]) {
      const { result } = await search(1, { scoreReuse: "none" }, metricCalls);
      expect(result.spent.metricCalls).toBeLessThanOrEqual(metricCalls);
    }
  });
});

interface Searched {
  readonly result: TextOptimizationResult;
  readonly events: readonly (OptimizerEvent | OptimizerProgress)[];
  readonly judge: ReturnType<typeof keywordTask>["judge"];
}

async function search(
  seed: number,
  options: FlatGepaOptions = {},
  metricCalls = 300,
): Promise<Searched> {
  const { task, judge } = keywordTask({ seed });
  const events: (OptimizerEvent | OptimizerProgress)[] = [];
  const result = await optimizeTexts(task, {
    optimizer: gepaWith({
      parent: paretoParent(),
      minibatch: epochMinibatches(),
      valAcceptance: anyOnVal(),
      merge: commonAncestorMerge(),
      proposer: directedProposer(),
      ...options,
    }),
    seed,
    budget: { metricCalls },
    onEvent: (event) => events.push(event),
  });
  return { result, events, judge };
}

function mergesOf({ result }: Pick<Searched, "result">): TextOptimizationResult["candidates"] {
  return result.candidates.filter(({ parents }) => parents.length === 2);
}

function iterationsOf(
  events: readonly (OptimizerEvent | OptimizerProgress)[],
): readonly (readonly OptimizerEvent[])[] {
  const iterations: OptimizerEvent[][] = [];
  for (const event of events) {
    if (event.kind === "iteration-start") iterations.push([]);
    if (event.kind !== "progress") iterations.at(-1)?.push(event);
  }
  return iterations;
}
