import { describe, expect, it } from "vitest";
import type { OptimizerEvent, OptimizerProgress, ProposalSelection } from "espalier/optimizer";
import { allPassed, customProposer, optimizeTexts, sameParent } from "espalier/optimizer";
import { bestPassed, epochMinibatches, independent } from "../../conformance/reference/index.ts";
import { directedProposer, keywordTask } from "./support/keyword-task.ts";
import { gepaWith } from "../support/gepa-with.ts";

const passed = [1, 3, 2, 3, 0].map((gain) => ({ gain }));

describe("of proposals that passed", () => {
  it("allPassed takes each, in order", () => {
    expect(allPassed().select(passed)).toEqual([0, 1, 2, 3, 4]);
  });

  it("bestPassed takes the one with the largest gain, the first of equal ones", () => {
    expect(bestPassed().select(passed)).toEqual([1]);
    expect(bestPassed().select([])).toEqual([]);
  });
});

describe("in a run", () => {
  it("behaviour 6: those that passed and were not chosen are refused for just that", async () => {
    const [all, best] = await Promise.all([run(allPassed()), run(bestPassed())]);
    expect(reasons(all)).not.toContain("not-selected");
    const perIteration = acceptedByIteration(best);
    expect(Math.max(...perIteration)).toBe(1);
    expect(Math.max(...acceptedByIteration(all))).toBeGreaterThan(1);
    const told = best.flatMap((event) =>
      event.kind === "candidate-refused" && event.reason === "not-selected" ? [event.detail] : [],
    );
    expect(new Set(told)).toEqual(new Set(["Better than its parent, but others gained more."]));
  });

  it("behaviour 7: of identical children of one iteration one goes on, the others are duplicates", async () => {
    const events: (OptimizerEvent | OptimizerProgress)[] = [];
    const { task, calls } = keywordTask({ hasConflicts: false });
    const same = customProposer("same", ({ component: { value } }) => `${value} more`);
    const { candidates, rejections, spent } = await optimizeTexts(task, {
      optimizer: gepaWith({
        components: ["instruction:first"],
        proposals: sameParent({ count: 3 }),
        proposer: same,
        gateAbove: null,
        valAcceptance: { name: "any", judge: () => ({ accepts: true }) },
        stop: [{ name: "one", stop: ({ iterations }) => (iterations === 1 ? "one" : null) }],
      }),
      budget: { metricCalls: 200 },
      onEvent: (event) => events.push(event),
    });
    expect(candidates).toHaveLength(2);
    expect(rejections.map(({ reason }) => reason)).toEqual(["duplicate", "duplicate"]);
    const onVal = events.filter(
      (event) => event.kind === "candidate-evaluated" && event.split === "val",
    );
    // The seed, and one child in one group.
    expect(onVal).toHaveLength(2);
    expect(spent.metricCalls).toBe(calls.length);
  });
});

async function run(
  selection: ProposalSelection,
): Promise<readonly (OptimizerEvent | OptimizerProgress)[]> {
  const events: (OptimizerEvent | OptimizerProgress)[] = [];
  await optimizeTexts(keywordTask({ seed: 1, train: 18, hasConflicts: false }).task, {
    optimizer: gepaWith({
      selection,
      gateAbove: 0,
      minibatch: epochMinibatches({ size: 3 }),
      proposals: independent({ count: 3 }),
      proposer: directedProposer(),
    }),
    budget: { metricCalls: 400 },
    onEvent: (event) => events.push(event),
  });
  return events;
}

function reasons(events: readonly (OptimizerEvent | OptimizerProgress)[]): readonly string[] {
  return events.flatMap((event) => (event.kind === "candidate-refused" ? [event.reason] : []));
}

function acceptedByIteration(
  events: readonly (OptimizerEvent | OptimizerProgress)[],
): readonly number[] {
  return events.flatMap((event) => (event.kind === "iteration-end" ? [event.accepted.length] : []));
}
