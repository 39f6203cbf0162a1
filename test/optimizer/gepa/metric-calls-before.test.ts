import { describe, expect, it } from "vitest";
import type { OptimizerEvent } from "espalier/optimizer";
import { customProposer, optimizeTexts } from "espalier/optimizer";
import { parentsTimesProposals } from "../../conformance/reference/index.ts";
import { randomSource } from "../../../src/internal/index.ts";
import { keywordTask } from "./support/keyword-task.ts";
import { gepaWith } from "../support/gepa-with.ts";

const val = 24;

/** Forgets all in the first proposal of an iteration, and adds a word in the others. */
const forgetful = customProposer("forgetful", ({ id, component }) =>
  /^iteration-\d+(\/[a-z]+)?$/.test(id)
    ? `Nothing of ${id}.`
    : `${component.value} w${randomSource(0, id).below(12)}`,
);

describe("the metric calls before a candidate", () => {
  it("are those that were spent, less its own and what came after, where others were run beside it", async () => {
    let [least, behind] = [Infinity, 0];
    for (let seed = 0; seed < 4; seed++) {
      let spent = 0;
      const onEvent = (event: OptimizerEvent | { readonly kind: "progress" }): void => {
        if (event.kind === "budget-spent") spent = event.metricCalls;
        if (event.kind === "candidate-refused" && event.reason === "not-better-on-val") behind++;
        if (event.kind !== "candidate-accepted" || event.candidate === 0) return;
        least = Math.min(least, spent - event.record.metricCallsBefore);
      };
      await optimizeTexts(keywordTask({ seed, val }).task, {
        optimizer: gepaWith({
          proposals: parentsTimesProposals({ parents: 2, proposals: 2 }),
          valSample: null,
          scoreReuse: "none",
          gateAbove: null,
          proposer: forgetful,
        }),
        budget: { metricCalls: 600 },
        onEvent,
      });
    }
    expect(behind).toBeGreaterThan(10);
    expect(least).toBe(val);
  });
});
