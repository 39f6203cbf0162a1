import { expect, it } from "vitest";
import { customProposer, optimizeTexts } from "espalier/optimizer";
import { keywordTask } from "./support/keyword-task.ts";
import { gepaWith } from "../support/gepa-with.ts";

/** Writes by its call's number, counted from 1. */
async function endOf(write: (call: number, current: string) => string) {
  const { task } = keywordTask({ hasConflicts: false });
  let calls = 0;
  const { reason, candidates, refusals } = await optimizeTexts(task, {
    optimizer: gepaWith({
      maxIdleIterations: 5,
      proposer: customProposer("scripted", ({ component: { value } }) => write(++calls, value)),
    }),
    budget: { metricCalls: 2_000 },
  });
  const why = refusals.map((refusal) => refusal.reason);
  return { reason, calls, why, accepted: candidates.length - 1 };
}

it("a run ends after so many iterations without a text worth a try, each asked for twice", async () => {
  const { reason, why, accepted } = await endOf((_, current) => current);
  expect(reason).toBe("nothing-new");
  expect(accepted).toBe(0);
  expect(why).toEqual(Array.from({ length: 10 }, () => "unchanged"));
});

it("a text that is tried in vain does not begin the count anew", async () => {
  // Every fourth text is new, and no better.
  const { reason, why } = await endOf((call, current) =>
    call % 4 === 0 ? `${current} vain-${call}` : current,
  );
  expect(reason).toBe("nothing-new");
  expect(why.filter((one) => one === "not-better-on-val").length).toBeGreaterThan(2);
  expect(why.filter((one) => one === "unchanged").length).toBeLessThan(25);
});

it("a new candidate does", async () => {
  const { calls, accepted } = await endOf((call, current) =>
    call % 8 === 0 ? `${current} w${(call / 8) % 12}` : current,
  );
  expect(accepted).toBeGreaterThan(1);
  expect(calls).toBeGreaterThan(20);
});
