import { describe, expect, it } from "vitest";
import { evaluateUnderFaults, expectFaultsToChangeNothing } from "./under-faults.ts";

describe("an evaluation over a faulty server", () => {
  it("equals the one without faults when 30 % of calls stall, are refused, fail or are broken", async () => {
    await expectFaultsToChangeNothing(100, 1_000);
  });

  it("counts content that cannot be parsed apart, as format failures, and scores them", async () => {
    const { counts, result, report } = await evaluateUnderFaults({
      examples: 100,
      stallTimeoutMs: 60_000,
      faults: { unparseableContent: 0.2 },
    });
    expect(counts).toMatchObject({ scored: 100, unscored: 0 });
    expect(counts.formatFailures).toBeGreaterThan(0);
    expect(report.byFault["unparseable-content"]).toBeGreaterThanOrEqual(2 * counts.formatFailures);
    const failed = result.rows.filter(({ output }) => output === undefined);
    expect(failed).toHaveLength(counts.formatFailures);
    expect(failed.every(({ score }) => score.kind === "scored" && score.value === 0)).toBe(true);
  });
});
