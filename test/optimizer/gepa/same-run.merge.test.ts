import { describe, expect, it } from "vitest";
import type { OptimizerEvent, TextOptimizationResult } from "espalier/optimizer";
import {
  allPassed,
  bestOrParetoParent,
  defaultChecks,
  gepa,
  jointComponents,
  neutralByTraining,
  optimizeTexts,
  sameParent,
  strictImprovement,
  targetedLessons,
} from "espalier/optimizer";
import {
  bestPassed,
  epochMinibatches,
  epsilonGreedyParent,
  independent,
  topKParetoParent,
} from "../../conformance/reference/index.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import type { FlatGepaOptions } from "../support/gepa-with.ts";
import { gepaWith } from "../support/gepa-with.ts";

interface Run {
  readonly result: TextOptimizationResult;
  readonly events: readonly OptimizerEvent[];
}

const manySided: FlatGepaOptions = {
  parent: topKParetoParent(),
  minibatch: epochMinibatches({ size: 2 }),
  proposals: independent({ count: 3 }),
  selection: bestPassed(),
  gateAbove: 0,
};

describe("behaviour 3: the same seed", () => {
  it.each([
    ["with the defaults", {}],
    ["with several proposals at a time", manySided],
    ["drawing at random", { parent: epsilonGreedyParent({ epsilon: 0.7 }) }],
  ] as const)("gives the same events and result at any concurrency, %s", async (_, options) => {
    for (const seed of [0, 1, 2]) {
      const [one, ...others] = await Promise.all(
        [1, 8, 64].map(async (concurrency) => search({ ...options, seed }, concurrency)),
      );
      expect(one?.result.candidates.length).toBeGreaterThan(1);
      for (const other of others) {
        expect(other.events).toEqual(one?.events);
        expect(plain(other)).toEqual(plain(one));
      }
    }
  });

  it("gives another run than another seed", async () => {
    const runs = await Promise.all([0, 1, 2, 3].map(async (seed) => search({ seed }, 16)));
    const shown = runs.map(({ result: { candidates } }) => JSON.stringify(candidates));
    expect(new Set(shown).size).toBeGreaterThan(1);
  });

  it("gives the same run with the defaults spelled out", async () => {
    const components = jointComponents();
    const spelled: FlatGepaOptions = {
      seed: 0,
      components: ["instruction"],
      perfectScore: 1,
      maxReflectionFailures: 5,
      scoreReuse: "trace",
      gateAbove: 4,
      secondTries: 1,
      parent: bestOrParetoParent(),
      frontier: "instance",
      minibatch: targetedLessons({ initial: 12, components }),
      component: components,
      proposals: sameParent({ count: 1 }),
      minibatchAcceptance: strictImprovement(),
      valAcceptance: neutralByTraining(),
      selection: allPassed(),
      checks: defaultChecks(),
      stop: [],
    };
    const [implied, explicit] = await Promise.all([search({}, 8), search(spelled, 8)]);
    expect(explicit.events).toEqual(implied.events);
    // What a run is made of is described alike, too, so that either can go on with the other's.
    expect(gepaWith(spelled).settings).toEqual(gepa().settings);
  });
});

async function search(options: FlatGepaOptions, concurrency: number): Promise<Run> {
  const events: OptimizerEvent[] = [];
  const result = await optimizeTexts(keywordTask({ seed: 2, isSlow: true }).task, {
    optimizer: gepaWith({ proposer: directedProposer(), ...options }),
    budget: { metricCalls: 120 },
    concurrency,
    onEvent: (event) => {
      if (event.kind !== "progress") events.push(event);
    },
  });
  return { result, events };
}

function plain(run: Run | undefined): object {
  const { seconds: _, ...result } = run?.result ?? ({} as Partial<TextOptimizationResult>);
  return result;
}
