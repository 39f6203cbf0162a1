import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { restartRun, spentIn } from "../../src/optimizer/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";
import { askedAgainIn } from "./support/asked-again-in.ts";
import { compiledPart, runPlaces } from "./support/run-places.ts";

// The seed takes 28 calls on val, 2 for each of 14 examples.
const tooSmall = { lmCalls: 20 };
const enough = { metricCalls: 60 };

describe("a run that is restarted under another budget", () => {
  it("is the run of that budget, and requests no reply that is on file", async () => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    const cut = await thrownBy(() => runPlaces({ runFolder, budget: tooSmall }));
    expect(cut.code).toBe("budget-exhausted");
    restartRun(runFolder);
    const fresh = await runPlaces({ budget: enough });
    const again = await runPlaces({ runFolder, budget: enough, resume: true });
    expect(compiledPart(again)).toEqual(compiledPart(fresh));
    expect(again.seen.calls).toBe(fresh.seen.calls - 20);
    expect(again.result.ledger.total.billed.calls).toBe(fresh.seen.calls);
    expect(await askedAgainIn(runFolder)).toEqual([]);
  });

  it("counts what the first one cost, in money and time", async () => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    const price = { promptUsdPerMillion: 1, completionUsdPerMillion: 4 };
    const prices = { student: price, reflection: price };
    await thrownBy(() => runPlaces({ runFolder, budget: tooSmall, prices }));
    const before = spentIn(join(runFolder, "journal.jsonl"), prices);
    expect(before).toMatchObject({ lmCalls: 20, billedCalls: 20, reflectionCalls: 0 });
    restartRun(runFolder);
    const { result } = await runPlaces({ runFolder, budget: enough, prices, resume: true });
    const { promptTokens, completionTokens } = result.ledger.total.billed;
    expect(result.costUsd).toBeCloseTo((promptTokens + 4 * completionTokens) / 1e6, 9);
    expect(result.costUsd).toBeGreaterThan(before.usd ?? Infinity);
    expect(result.seconds).toBeGreaterThanOrEqual(before.seconds);
    // Under what is spent already, it gets as far as its replies do.
    restartRun(runFolder);
    const spent = { costUsd: before.usd ?? NaN };
    const none = await runPlaces({ runFolder, budget: spent, prices, resume: true });
    expect(none.result.reason).toBe("budget");
    expect(none.seen.calls).toBe(0);
  });

  it("may be restarted again before it begins", async () => {
    await using folder = await temporaryFolder();
    const { path: runFolder } = folder;
    const whole = await runPlaces({ runFolder, budget: enough });
    restartRun(runFolder);
    restartRun(runFolder);
    const again = await runPlaces({ runFolder, budget: enough, resume: true });
    expect(compiledPart(again)).toEqual(compiledPart(whole));
    expect(again.seen.calls).toBe(0);
  });

  it("is refused where there is none", async () => {
    await using folder = await temporaryFolder();
    expect((await thrownBy(() => restartRun(folder.path))).code).toBe("file-missing");
  });
});
