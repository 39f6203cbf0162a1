import { expect, it } from "vitest";
import type { OptimizerEvent } from "espalier/optimizer";
import { optimizeTexts } from "espalier/optimizer";
import { commonAncestorMerge, parentsTimesProposals } from "../../conformance/reference/index.ts";
import { broken, plain } from "./support/plan-kept.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import type { FlatGepaOptions } from "../support/gepa-with.ts";
import { gepaWith } from "../support/gepa-with.ts";

it.each<[string, FlatGepaOptions]>([
  ["the defaults", {}],
  ["plain GEPA", plain],
  ["nothing reused", { scoreReuse: "none" }],
  ["nothing reused, and merges", { scoreReuse: "none", merge: commonAncestorMerge() }],
  ["a gate before val", { scoreReuse: "candidate", gateAbove: 1 }],
  ["a gate, and scores reused", { gateAbove: 0 }],
  [
    "several proposals at a time",
    { ...plain, proposals: parentsTimesProposals({ parents: 2, proposals: 2 }) },
  ],
  [
    "several without a gate",
    { ...plain, gateAbove: null, proposals: parentsTimesProposals({ parents: 1, proposals: 3 }) },
  ],
])(
  "a plan keeps its word on keywords for %s, whatever the budget and the seed",
  async (_, options) => {
    for (let seed = 0; seed < 4; seed++) {
      for (const sizes of [{ train: 12 }, { train: 40 }, { train: 12, sharesSplits: true }]) {
        for (let evaluations = 1.3; evaluations < 9; evaluations += 0.7) {
          const events: OptimizerEvent[] = [];
          const { task } = keywordTask({ seed, ...sizes });
          const val = Object.keys(task.val).length;
          const budget = { metricCalls: Math.floor(val * evaluations) };
          const { plan, reason } = await optimizeTexts(task, {
            optimizer: gepaWith({ proposer: directedProposer(), ...options }),
            budget,
            onEvent: (event) => {
              if (event.kind !== "progress") events.push(event);
            },
          });
          const what = { seed, ...sizes, budget };
          expect({ ...what, broken: broken(plan, reason, events) }).toEqual({
            ...what,
            broken: [],
          });
        }
      }
    }
  },
);
