import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askedAgainIn } from "../../optimizer/support/asked-again-in.ts";
import { gateClock } from "../../support/gate-clock.ts";
import { runMain } from "../../support/run-main.ts";
import { killedAfter, servedExperiment } from "./served-experiment.ts";
import type { Costs } from "./support.ts";
import { tableIn, timeless } from "./support.ts";

const searched = "test/cli/fixtures/searched-experiment.ts";
const few = ["--sample", "6"];
const enough = "1000000";

/** Everything spent, whose amounts no resumption may forget. */
const amounts = ({ seconds: _seconds, ...spent }: Costs) => spent;

describe("an optimization that a cap ends before its program is scored", () => {
  // The cap leaves a part of the 28 calls that score the program on val.
  test.each<[option: string, cap: string, smaller: string]>([
    ["--max-lm-calls", "68", "3"],
    ["--max-tokens", "30000", "500"],
    ["--max-usd", "0.4", "0.01"],
    ["--max-minutes", "0.05", "0.005"],
  ])(
    "under %s %s stops the table, and goes on under a larger one",
    async (option, cap, smaller) => {
      // One call after the other, of which the 15th is held until time is over.
      const isTimed = option === "--max-minutes";
      const clock = gateClock(14);
      await using served = await servedExperiment(isTimed ? { latencyMs: 1, clock } : {});
      const slowly = isTimed ? ["--concurrency", "1"] : [];
      const stopped = await runMain(served.begin(searched, ...few, ...slowly, option, cap));
      expect(stopped.code).toBe(4);
      const table = await tableIn(served.run);
      const [optimized, later] = table.rows;
      expect(optimized?.notRun).toMatch(
        /^its optimization ended before it scored the program: The next call could exceed the budget \(budget\.\w+\): at most \S+, \S+ already spent$/,
      );
      expect(later?.notRun).toBe("the budget ran out before it");
      const sent = served.received();
      expect(sent).toBeGreaterThan(0);
      expect(sent).toBeLessThan(28);
      // A call that time cuts short gets no reply, and may not have reached the server yet.
      const cutShort = isTimed ? 1 : 0;
      expect(sent - table.costs.lmCalls).toBeLessThanOrEqual(cutShort);
      expect(table.costs.billedCalls).toBeGreaterThanOrEqual(sent);
      expect(table.costs.billedCalls - sent).toBeLessThanOrEqual(cutShort);
      expect(optimized?.costs.usd).toBeGreaterThan(0);
      expect(optimized?.costs.seconds).toBeGreaterThan(0);

      for (const limit of [cap, smaller]) {
        const again = await runMain(served.resume(searched, option, limit));
        expect(again.code).toBe(4);
        const { costs, rows } = await tableIn(served.run);
        expect(amounts(costs)).toEqual(amounts(table.costs));
        expect(rows.every(({ notRun }) => notRun !== undefined)).toBe(true);
        // The call that was cut short may reach the server when its run has ended already.
        expect(served.received() - sent).toBeLessThanOrEqual(cutShort);
      }

      clock.release();
      const ended = await runMain(served.resume(searched, option, enough));
      expect(ended).toMatchObject({ code: 0 });
      const whole = await tableIn(served.run);
      expect(timeless(whole)).toEqual(timeless(await undisturbed(option)));
      expect(await askedAgainIn(join(served.run, "rows/optimized"))).toEqual([]);
      // What was received before is neither paid for again nor forgotten.
      expect(whole.costs.billedCalls - served.received()).toBeLessThanOrEqual(cutShort);
      expect(served.received() - whole.costs.lmCalls).toBeLessThanOrEqual(cutShort);
    },
  );
});

/** The table of an experiment that had enough from the start. */
async function undisturbed(option: string) {
  await using served = await servedExperiment();
  await runMain(served.begin(searched, ...few, option, enough));
  return tableIn(served.run);
}

test("what a search has spent counts when it is resumed under a cap that it began above", async () => {
  await using served = await servedExperiment({ latencyMs: 10 });
  await killedAfter(40, served.begin(searched, ...few), served.received);
  const sent = served.received();
  const less = await runMain(served.resume(searched, "--max-lm-calls", "60"));
  expect(less.code).toBe(4);
  const { rows, costs } = await tableIn(served.run);
  expect(rows[0]?.notRun).toBe(
    `its optimization has used ${costs.lmCalls} of \`lmCalls\`, and the budget has only 20 left`,
  );
  expect(costs.lmCalls).toBeGreaterThan(28);
  expect(costs.billedCalls).toBeGreaterThanOrEqual(sent);
  expect(served.received()).toBe(sent);
  expect(await runMain(served.resume(searched))).toMatchObject({ code: 0 });
});
