import { describe, expect, it } from "vitest";
import type { Budget, PriceTable } from "espalier/optimizer";
import { optimizeTexts, parameterSearch, readRun } from "espalier/optimizer";
import { rehearsalLm } from "@espalier/rehearsal";
import { systemClock } from "../../../src/internal/index.ts";
import { budgetStop } from "../../../src/optimizer/budget/index.ts";
import { replay as replayOf } from "../../../src/optimizer/engine/replay.ts";
import type { RunBudget } from "../../../src/optimizer/engine/run-budget.ts";
import { runBudget } from "../../../src/optimizer/engine/run-budget.ts";
import { memoryLines } from "../../../src/storage/index.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { directedProposer, keywordTask } from "../gepa/support/keyword-task.ts";
import { callClock } from "../support/call-clock.ts";
import { dialStudy, perSetting } from "../parameter-search/support/dials.ts";
import { runPlaces } from "../support/run-places.ts";
import { gepaWith } from "../support/gepa-with.ts";
import { decisionsIn } from "../../support/journal.ts";

const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
const prices: PriceTable = {
  student: price,
  reflection: { ...price, completionUsdPerMillion: 40 },
};

function budgetOf(budget: Budget, repetitions = 1): RunBudget {
  const replay = replayOf({ file: memoryLines(), decisions: [] });
  return runBudget({ budget, roles: [], repetitions, replay, clock: systemClock });
}

describe("a run that ends with its budget", () => {
  it.each<Budget>([
    { metricCalls: 60 },
    { reflectionCalls: 3 },
    { lmCalls: 150 },
    { tokens: 60_000 },
    // No text is ever asked for: its longest reply would not fit.
    { costUsd: 0.35 },
    { costUsd: 0.5, metricCalls: 5000 },
    // The other cap is the first to refuse what is only asked about.
    { costUsd: 0.35, metricCalls: 100 },
    { wallTimeMs: 700 },
  ])("names the cap of %j that ended it, also to who resumes or shows it", async (budget) => {
    await using folder = await temporaryFolder();
    const slow = callClock(rehearsalLm(), 10);
    const options = { budget, prices, ...slow, runFolder: folder.path };
    const { result } = await runPlaces(options);
    const [cap = ""] = Object.keys(budget);
    const detail = `the next step could exceed \`${cap}\``;
    expect(result).toMatchObject({ reason: "budget", detail });
    expect(readRun(folder.path).end).toMatchObject({ reason: "budget", detail });
    const decisions = decisionsIn(folder.path);
    const again = await runPlaces({ ...options, resume: true });
    expect(again.result).toMatchObject({ reason: "budget", detail, spent: result.spent });
    expect(decisionsIn(folder.path)).toBe(decisions);
  });

  it("names the same at any concurrency, byte for byte in the journal", async () => {
    for (const budget of [{ lmCalls: 150, tokens: 73_000 }, { tokens: 61_000 }, { lmCalls: 80 }]) {
      const journals = await Promise.all(
        [1, 8, 64].map(async (concurrency) => {
          await using folder = await temporaryFolder();
          await runPlaces({ budget, concurrency, runFolder: folder.path });
          return decisionsIn(folder.path);
        }),
      );
      expect(new Set(journals).size).toBe(1);
    }
  });

  it("names both caps of which a call could meet either first", async () => {
    const cutBy = async (spending: RunBudget, cap: "tokens"): Promise<void> => {
      const work = spending.within(undefined, false, () => Promise.reject(budgetStop(cap, 1, 1)));
      await expect(work).rejects.toMatchObject({ code: "budget-exhausted" });
    };
    const both = budgetOf({ lmCalls: 10, tokens: 100, metricCalls: 9 });
    expect(both.exhausted).toBeUndefined();
    await cutBy(both, "tokens");
    expect(both.exhausted).toBe("the next step could exceed `lmCalls` or `tokens`");
    expect(both.fits({ rollouts: 10, reflectionCalls: 0 })).toBe(false);
    expect(both.exhausted).toBe("the next step could exceed `metricCalls`");
    const one = budgetOf({ tokens: 100 });
    await cutBy(one, "tokens");
    expect(one.exhausted).toBe("the next step could exceed `tokens`");
  });

  it("names no cap for having told how much is left, which is what fits", () => {
    const budget = budgetOf({ metricCalls: 11, reflectionCalls: 1 }, 2);
    expect(budget.rolloutsLeft(1)).toBe(5);
    expect(budget.fits({ rollouts: 5, reflectionCalls: 1 })).toBe(true);
    budget.settle({}, { metricCalls: 10, reflectionCalls: 1 });
    expect([budget.rolloutsLeft(0), budget.rolloutsLeft(1)]).toEqual([0, 0]);
    expect(budget.exhausted).toBeUndefined();
    expect(budgetOf({ wallTimeMs: 60_000 }).rolloutsLeft(0)).toBeGreaterThan(1e8);
  });

  it("names it for texts, and for a search over parameters", async () => {
    const optimizer = gepaWith({ proposer: directedProposer() });
    const budget = { metricCalls: 50 };
    const texts = await optimizeTexts(keywordTask().task, { optimizer, budget });
    expect(texts).toMatchObject({ detail: "the next step could exceed `metricCalls`" });
    const dials = await runPlaces(
      { optimizer: parameterSearch(), budget: { metricCalls: 3 * perSetting } },
      dialStudy,
    );
    expect(dials.result).toMatchObject({ detail: "the next step could exceed `metricCalls`" });
  });
});
