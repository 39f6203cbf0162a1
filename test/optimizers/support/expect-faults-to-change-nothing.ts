import { expect } from "vitest";
import type { Budget } from "espalier/optimizer";
import type { FaultShares, RehearsalServerOptions } from "@espalier/rehearsal";
import type { StudyOverHttp } from "./optimize-over-http.ts";
import { optimizeOverHttp } from "./optimize-over-http.ts";

/**
 * The same artifact without faults at concurrency 8, and with three tenths of all calls failing, at
 * each concurrency.
 */
export async function expectFaultsToChangeNothing(
  study: StudyOverHttp,
  {
    faults,
    latencyMs = 0,
    concurrencies,
    budget,
  }: {
    /** Adding up to three tenths. */
    readonly faults: FaultShares;
    /** Of the runs with faults. */
    readonly latencyMs?: RehearsalServerOptions["latencyMs"] & {};
    readonly concurrencies: readonly number[];
    readonly budget: Budget;
  },
): Promise<void> {
  const clean = await optimizeOverHttp(study, { faults: {}, concurrency: 8, budget });
  // Something must have been found, or nothing could have been found differently.
  expect(clean.compiled.lineage.length).toBeGreaterThan(1);
  expect(clean.calls.byFault).toEqual({});

  // At once, since most of their time is spent waiting to try again.
  const runs = concurrencies.map((concurrency) =>
    optimizeOverHttp(study, { faults, latencyMs, concurrency, budget }),
  );
  for (const { compiled, calls } of await Promise.all(runs)) {
    expect(compiled).toEqual(clean.compiled);
    const failed = Object.values(calls.byFault).reduce((sum, count) => sum + count, 0);
    // Drawn by call: four standard errors.
    expect(Math.abs(failed / calls.total - 0.3)).toBeLessThan(
      4 * Math.sqrt((0.3 * 0.7) / calls.total),
    );
  }
}
