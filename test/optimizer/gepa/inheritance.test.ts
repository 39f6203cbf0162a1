import { describe, expect, it } from "vitest";
import type {
  GepaOptions,
  Inheritance,
  OptimizerEvent,
  OptimizerProgress,
  OptimizerRun,
  Rollout,
  StepNeed,
  TextOptimizationResult,
} from "espalier/optimizer";
import { epochMinibatches, gepa, optimizeTexts } from "espalier/optimizer";
import { randomSource } from "../../../src/internal/index.ts";
import { summarizeRollouts } from "../../../src/optimizer/evaluation/index.ts";
import { evaluateKnown } from "../../../src/optimizer/gepa/evaluate-known.ts";
import { gepaSettings } from "../../../src/optimizer/gepa/gepa-settings.ts";
import { startSearch } from "../../../src/optimizer/gepa/search.ts";
import type { KeywordTask, KeywordTaskOptions } from "./support/keyword-task.ts";
import { directedProposer, keywordTask, textsOf } from "./support/keyword-task.ts";
import { rolloutOf, textOf } from "./support/rollouts.ts";

const modes: readonly Inheritance[] = ["none", "candidate", "trace", "trace-always"];
const seeds = [0, 1, 2, 3, 4, 5];

describe.each(modes)("a deterministic task that inherits by %s", (inheritance) => {
  it("has for every candidate the scores of a full evaluation from scratch", async () => {
    for (const seed of seeds) {
      const { task, result, judge } = await search({ seed, hasObjectives: true }, { inheritance });
      expect(result.candidates.length).toBeGreaterThan(1);
      for (const { components, selection } of result.candidates) {
        const texts = textsOf(components);
        const scratch = Object.keys(task.val).map((id) => [id, judge(texts, id)] as const);
        expect(selection.scores).toEqual(
          Object.fromEntries(scratch.map(([id, { score }]) => [id, score])),
        );
        expect(selection.objectiveScores).toEqual(
          Object.fromEntries(scratch.map(([id, { objectives }]) => [id, objectives])),
        );
      }
    }
  });

  it("never ends inheritance", async () => {
    for (const seed of seeds) {
      const { events } = await search({ seed }, { inheritance });
      expect(events.some(({ kind }) => kind === "inheritance-ended")).toBe(false);
    }
  });

  it("behaviour 1: counts as metric calls what was run, and nothing that was inherited", async () => {
    for (const seed of seeds) {
      const { events, calls, result } = await search({ seed }, { inheritance });
      let [judged, inherited] = [0, 0];
      const told: (readonly [ledger: number, counted: number])[] = [];
      for (const event of events) {
        if (event.kind === "candidate-evaluated") {
          judged += Object.keys(event.scores).length;
          inherited += event.inherited;
        }
        if (event.kind === "budget-spent") told.push([event.metricCalls, judged - inherited]);
      }
      expect(told.length).toBeGreaterThan(0);
      expect(told.map(([ledger]) => ledger)).toEqual(told.map(([, counted]) => counted));
      expect(result.spent.metricCalls).toBe(calls.length);
      expect(judged - inherited).toBe(calls.length);
      expect(inherited > 0).toBe(inheritance.startsWith("trace"));
    }
  });
});

describe("behaviour 18: inheritance by candidate, as the cache of gepa", () => {
  const options = {
    inheritance: "candidate",
    minibatch: epochMinibatches({ size: 3 }),
    gateAbove: 0,
  } as const;

  it("fills no score on val from train where the splits are not one", async () => {
    for (const seed of seeds) {
      const { events } = await search({ seed }, options);
      expect(inheritedOn(events, "val")).toBe(0);
      expect(inheritedOn(events, "train")).toBe(0);
    }
  });

  it("fills scores on val from minibatches where train selects, and none the other way", async () => {
    for (const seed of seeds) {
      const { events, result } = await search({ seed, sharesSplits: true }, options);
      expect(inheritedOn(events, "train")).toBe(0);
      const children = result.candidates.length - 1;
      // Each child that came to val was run on a minibatch of three before.
      expect(children).toBeGreaterThan(0);
      expect(inheritedOn(events, "val")).toBeGreaterThanOrEqual(3 * children);
    }
  });
});

describe("a task that is not deterministic", () => {
  const noise = (number: number): number => 0.01 * randomSource(number, "noise").random();

  it("has inheritance by trace ended, once, with both figures told", async () => {
    for (const seed of seeds) {
      const { events } = await search({ seed, noise }, {});
      const ended = events.filter((event) => event.kind === "inheritance-ended");
      expect(ended).toHaveLength(1);
      const [{ inherited, again, exampleId } = { inherited: 0, again: 0, exampleId: "" }] = ended;
      expect(exampleId).toMatch(/^[tv]\d+$/);
      expect(inherited).not.toBe(again);
      // From then on a child's scores are its own.
      const after = events.slice(events.findIndex(({ kind }) => kind === "inheritance-ended"));
      expect(inheritedOn(after, "val")).toBe(0);
      expect(after.some((event) => event.kind === "candidate-accepted")).toBe(true);
    }
  });

  it("is not found out by trace-always, which re-runs nothing", async () => {
    const { events } = await search({ noise }, { inheritance: "trace-always" });
    expect(events.some(({ kind }) => kind === "inheritance-ended")).toBe(false);
    expect(inheritedOn(events, "val")).toBeGreaterThan(0);
  });
});

describe("a re-run", () => {
  const request = { candidate: "proposed", split: "val", exampleIds: ["v0"] } as const;
  const components = [textOf("first"), textOf("second")];
  const other = [textOf("first"), textOf("second", "Other.")];

  it.each([
    ["a fault", null, 0.5, false],
    ["the same score", 0.5, 0.5, false],
    ["another score", 0.25, 0.25, true],
  ])("that ends in %s is judged by it", async (_, again, judged, ends) => {
    const scores = [0.5, again];
    const { search, events } = searchScoring(scores, () => true);
    await evaluateKnown(search, [{ ...request, components }]);
    const [evaluation] = await evaluateKnown(search, [{ ...request, components: other }]);
    expect(scores).toEqual([]);
    expect(evaluation?.value).toBe(judged);
    expect(events.some(({ kind }) => kind === "inheritance-ended")).toBe(ends);
    expect(search.memory.inheritance).toBe(ends ? "candidate" : "trace");
  });

  it("is not made where it could cost a proposal its evaluation", async () => {
    const scores = [0.5, 0.25];
    const { search } = searchScoring(scores, (metricCalls) => metricCalls <= 1);
    await evaluateKnown(search, [{ ...request, components }]);
    const [evaluation] = await evaluateKnown(search, [{ ...request, components: other }]);
    expect(scores).toEqual([0.25]);
    expect(evaluation?.value).toBe(0.5);
  });
});

/** A search over one example of val, and what its first evaluations will score. */
function searchScoring(scores: (number | null)[], fits: (metricCalls: number) => boolean) {
  const events: OptimizerEvent[] = [];
  const run = {
    fits: ({ metricCalls }: StepNeed) => fits(metricCalls),
    spent: { metricCalls: 0, reflectionCalls: 0, lmCalls: 0, tokens: 0 },
    evaluate: async () => [[rolloutOf("v0", { score: scores.shift() ?? null })]],
    summarize: (split: "val", rollouts: readonly Rollout[]) =>
      summarizeRollouts(rollouts, split, { coverageFloor: 0.95 }),
    emit: (event: OptimizerEvent) => void events.push(event),
  } as unknown as OptimizerRun;
  const components = [textOf("first"), textOf("second")];
  const space = { name: "test", components, train: ["t0"], val: ["v0"], describe: () => "" };
  return { search: startSearch(space, run, gepaSettings({})), events };
}

async function search(
  task: KeywordTaskOptions,
  options: GepaOptions,
): Promise<
  KeywordTask & {
    readonly result: TextOptimizationResult;
    readonly events: readonly (OptimizerEvent | OptimizerProgress)[];
  }
> {
  const events: (OptimizerEvent | OptimizerProgress)[] = [];
  const keywords = keywordTask(task);
  const result = await optimizeTexts(keywords.task, {
    optimizer: gepa({ proposer: directedProposer(), ...options }),
    budget: { metricCalls: 220 },
    onEvent: (event) => events.push(event),
  });
  return { ...keywords, result, events };
}

function inheritedOn(
  events: readonly (OptimizerEvent | OptimizerProgress)[],
  split: "train" | "val",
): number {
  return events.reduce(
    (sum, event) =>
      event.kind === "candidate-evaluated" && event.split === split ? sum + event.inherited : sum,
    0,
  );
}
