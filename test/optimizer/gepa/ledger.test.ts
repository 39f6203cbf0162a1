import { describe, expect, it } from "vitest";
import { optimizeTexts } from "espalier/optimizer";
import {
  anyOnVal,
  epochMinibatches,
  independent,
  parentsTimesProposals,
} from "../../conformance/reference/index.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import type { FlatGepaOptions } from "../support/gepa-with.ts";
import { gepaWith } from "../support/gepa-with.ts";

const configurations: readonly (readonly [string, FlatGepaOptions])[] = [
  ["the defaults", {}],
  [
    "the rules of gepa",
    {
      scoreReuse: "none",
      minibatch: epochMinibatches({ size: 3 }),
      gateAbove: 0,
      valSample: null,
      valAcceptance: anyOnVal(),
    },
  ],
  [
    "several proposals at a time",
    { proposals: parentsTimesProposals({ parents: 2, proposals: 2 }) },
  ],
  [
    "independent proposals",
    {
      proposals: independent({ count: 3 }),
      gateAbove: null,
    },
  ],
  ["a frontier of objectives", { frontier: "hybrid", scoreReuse: "candidate" }],
];

describe.each(configurations)("behaviour 1: with %s", (_, options) => {
  // Also budgets that end within a step.
  it.each([10, 11, 37, 60, 61, 62, 63, 120, 200])(
    "a ledger of %d metric calls is what `evaluate` saw, and within the cap",
    async (metricCalls) => {
      for (const seed of [0, 1, 2]) {
        const { task, calls } = keywordTask({ seed, hasObjectives: true });
        const [ledger, seen]: number[][] = [[], []];
        const { spent } = await optimizeTexts(task, {
          optimizer: gepaWith({ seed, proposer: directedProposer(), ...options }),
          budget: { metricCalls },
          onEvent: (event) => {
            if (event.kind !== "budget-spent") return;
            ledger?.push(event.metricCalls);
            seen?.push(calls.length);
          },
        });
        expect(ledger).toEqual(seen);
        expect(ledger?.at(-1)).toBe(calls.length);
        expect(spent.metricCalls).toBe(calls.length);
        expect(calls.length).toBeLessThanOrEqual(metricCalls);
      }
    },
  );
});
