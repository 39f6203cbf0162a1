import { describe, expect, it } from "vitest";
import type {
  OptimizerEvent,
  OptimizerProgress,
  TextOptimizationResult,
  TextTask,
} from "espalier/optimizer";
import { customProposer, optimizeTexts, paretoParent, roundRobin } from "espalier/optimizer";
import {
  bestPassed,
  commonAncestorMerge,
  epochMinibatches,
  parentsTimesProposals,
} from "../../conformance/reference/index.ts";
import { thrownBy } from "../../support/thrown-by.ts";
import { randomSource } from "../../../src/internal/index.ts";
import { compiledPart, runPlaces } from "../support/run-places.ts";
import {
  ending,
  expectLedger,
  expectNumbers,
  lastSpent,
  lettersOf,
  restOf,
} from "./support/event-order.ts";
import type { KeywordTaskOptions } from "./support/keyword-task.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import type { FlatGepaOptions } from "../support/gepa-with.ts";
import { gepaWith } from "../support/gepa-with.ts";

const settings: readonly [string, FlatGepaOptions][] = [
  ["the defaults", {}],
  ["a minibatch that must show first", { gateAbove: 0 }],
  [
    "plain GEPA",
    {
      minibatch: epochMinibatches(),
      component: roundRobin(),
      gateAbove: 0,
      scoreReuse: "candidate",
    },
  ],
  [
    "several proposals at a time, of which the best stays",
    {
      proposals: parentsTimesProposals({ parents: 2, proposals: 2 }),
      gateAbove: 0,
      selection: bestPassed(),
    },
  ],
];

const noise = (number: number): number => 0.01 * randomSource(number, "noise").random();
const leak = ({ second = "" }): number => 0.05 * second.split(" ").length;
const merging: FlatGepaOptions = {
  merge: commonAncestorMerge({ overlapFloor: 2 }),
  parent: paretoParent(),
  component: roundRobin(),
  minibatch: epochMinibatches(),
  gateAbove: 0,
};

/** Letters that the events of some seed must have, as a pattern. */
const disputed: readonly [string, KeywordTaskOptions, FlatGepaOptions, readonly RegExp[]][] = [
  ["merges", {}, merging, [/ipvbrI/, /ipvbvbaI/]],
  ["scores that vary", { noise }, {}, [/bbc/]],
  ["a text that has a part unseen", { leak }, {}, [/bbbd/, /vbfI/]],
  ["all of it", { leak, noise }, merging, [/ipvb/, /bbc/]],
];
const seeds = [0, 1, 2, 3, 4, 5];

describe("behaviour 4: events come in the documented order, iterations are numbered from 1", () => {
  it.each(settings)("of a program, with %s", async (_, options) => {
    const { events } = await runPlaces({
      optimizer: gepaWith(options),
      budget: { metricCalls: 150 },
    });
    expect(restOf(events)).toMatch(ending);
    expectNumbers(events);
    expect(events.some(({ kind }) => kind === "candidate-accepted")).toBe(true);
  });

  it.each(settings)("of texts, with %s", async (_, options) => {
    const { events } = await runKeywords(options);
    expect(restOf(events)).toMatch(ending);
    expectNumbers(events);
    expect(events.filter(({ kind }) => kind === "candidate-accepted").length).toBeGreaterThan(2);
  });

  it.each(disputed)("with %s", async (_, task, options, patterns) => {
    const told = await Promise.all(
      seeds.map(async (seed) => {
        const { events } = await runDisputed({ ...task, seed }, options);
        expect(restOf(events)).toMatch(ending);
        expectNumbers(events);
        return lettersOf(events);
      }),
    );
    for (const pattern of patterns) expect(told.join("\n")).toMatch(pattern);
  });

  it("and a merge that the budget has no room for is refused before it is run", async () => {
    const caps = Array.from({ length: 10 }, (_, index) => 225 + 3 * index);
    const told = await Promise.all(
      caps.map(async (cap) => {
        const { events } = await runDisputed(
          { seed: 4 },
          { ...merging, scoreReuse: "candidate" },
          cap,
        );
        expect(restOf(events)).toMatch(ending);
        expectLedger(events);
        return lettersOf(events);
      }),
    );
    expect(told.filter((letters) => letters.includes("Iipr")).length).toBeGreaterThan(1);
  });

  it("and a cap that ends a step within ends the run there, without iteration-end", async () => {
    const caps = Array.from({ length: 10 }, (_, index) => 30_000 + 2_500 * index);
    const rests = await Promise.all(
      caps.map(async (tokens) => restOf((await runPlaces({ budget: { tokens } })).events)),
    );
    for (const rest of rests) expect(rest).toMatch(ending);
    expect(rests.some((rest) => rest.length > 1)).toBe(true);
  });
});

describe("behaviour 1: the ledger is what was really asked for, and each event is the one before plus what came", () => {
  it.each(settings)("for a program, with %s", async (_, options) => {
    const { events, result, seen } = await runPlaces({
      optimizer: gepaWith(options),
      budget: { metricCalls: 150 },
    });
    expectLedger(events);
    expect(result.spent.metricCalls).toBe(seen.rollouts);
    // A request that was answered before is a call, and is not sent again.
    const { logical, billed } = result.ledger.total;
    expect(result.spent.lmCalls).toBe(logical.calls);
    expect(seen.calls).toBe(billed.calls);
    expect(billed.calls).toBeLessThanOrEqual(logical.calls);
    expect(lastSpent(events)).toEqual(result.spent);
  });

  it.each(settings)("for texts, with %s", async (_, options) => {
    const { events, result, seen } = await runKeywords(options);
    expectLedger(events);
    expect(result.spent).toMatchObject({
      metricCalls: seen.evaluated,
      reflectionCalls: seen.asked,
    });
    expect(lastSpent(events)).toEqual(result.spent);
  });
});

describe("behaviour 1: the ledger where runs are repeated", () => {
  it.each(disputed)("with %s", async (_, task, options) => {
    for (const seed of seeds) {
      const { events, result, calls } = await runDisputed({ ...task, seed }, options);
      expectLedger(events);
      expect(result.spent.metricCalls).toBe(calls.length);
      expect(lastSpent(events)).toEqual(result.spent);
    }
  });
});

describe("behaviour 21: a listener that fails", () => {
  it.each<[string, (event: OptimizerEvent | OptimizerProgress) => unknown]>([
    [
      "by throwing",
      () => {
        throw new Error("the screen is off");
      },
    ],
    ["by rejecting", async () => Promise.reject(new Error("the screen is off"))],
  ])("%s does not stop the run, and is counted", async (_, onEvent) => {
    const undisturbed = await runPlaces({ budget: { metricCalls: 60 } });
    const disturbed = await runPlaces({
      budget: { metricCalls: 60 },
      onEvent,
    });
    expect(compiledPart(disturbed)).toEqual(compiledPart(undisturbed));
    expect(disturbed.events).toEqual(undisturbed.events);
    expect(undisturbed.result.listenerFailures).toBeUndefined();
    const { count, first } = disturbed.result.listenerFailures ?? { count: 0, first: "" };
    expect(first).toContain("the screen is off");
    expect(count).toBeGreaterThanOrEqual(disturbed.events.length - 1);
  });

  it("differs from a program that fails, which always ends the run", async () => {
    const task = { ...countedTask(() => {}), evaluate: () => ({ score: Number.NaN }) };
    const error = await thrownBy(() =>
      optimizeTexts(task, {
        optimizer: gepaWith({ proposer: directedProposer() }),
        budget: { metricCalls: 60 },
      }),
    );
    expect(error.code).toBe("metric-failed");
  });
});

async function runDisputed(
  options: KeywordTaskOptions,
  gepaOptions: FlatGepaOptions,
  metricCalls: number = 600,
) {
  const events: OptimizerEvent[] = [];
  const { task, calls } = keywordTask({ train: 20, val: 20, ...options });
  const result = await optimizeTexts(task, {
    optimizer: gepaWith({ proposer: directedProposer(), ...gepaOptions }),
    budget: { metricCalls },
    onEvent: (event) => {
      if (event.kind !== "progress") events.push(event);
    },
  });
  return { events, result, calls };
}

interface KeywordsRun {
  readonly result: TextOptimizationResult;
  readonly events: readonly OptimizerEvent[];
  readonly seen: { readonly evaluated: number; readonly asked: number };
}

/**
 * Two texts that want keywords, one asked for at a time, and a writer that adds what it is told.
 */
async function runKeywords(options: FlatGepaOptions): Promise<KeywordsRun> {
  const events: OptimizerEvent[] = [];
  const seen = { evaluated: 0, asked: 0 };
  const proposer = customProposer("adds", ({ component, cases }) => {
    seen.asked++;
    const wanted = cases.flatMap(({ feedback }) => /ADD (\w+)/.exec(feedback)?.[1] ?? []);
    const word = wanted.find((one) => !component.value.includes(one)) ?? "nothing";
    return `${component.value} ${word}`;
  });
  const result = await optimizeTexts(
    countedTask(() => seen.evaluated++),
    {
      optimizer: gepaWith({ ...options, proposer }),
      budget: { metricCalls: 200 },
      onEvent: (event) => {
        if (event.kind !== "progress") events.push(event);
      },
    },
  );
  return { result, events, seen };
}

function countedTask(onEvaluated: () => void): TextTask<{ text: string; words: string[] }> {
  const examples = (split: string) =>
    Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => {
        const text = index % 2 === 0 ? "first" : "second";
        const words = [0, 1, 2].map((step) => `${text}${(index * (step + 1)) % 7}`);
        return [`${split}-${index}`, { text, words }] as const;
      }),
    );
  return {
    name: "keywords",
    version: "1",
    texts: { first: "Say:", second: "Write:" },
    train: examples("train"),
    val: examples("val"),
    evaluate: (texts, { text, words }) => {
      onEvaluated();
      const missing = words.filter((word) => !(texts[text] ?? "").includes(word));
      return {
        score: 1 - missing.length / words.length,
        ran: [text],
        ...(missing.length > 0 && { feedback: { [text]: `ADD ${missing[0]}` } }),
      };
    },
  };
}
