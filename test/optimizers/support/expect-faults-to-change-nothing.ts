import { expect } from "vitest";
import type { Study } from "espalier";
import type { Budget } from "espalier/optimizer";
import type { FaultShares } from "@espalier/rehearsal";
import { optimizeOverHttp } from "./optimize-over-http.ts";

/**
 * The same artifact without faults at concurrency 8, and with three tenths of all calls failing, at
 * each concurrency.
 */
export async function expectFaultsToChangeNothing(
  study: Study,
  {
    faults,
    concurrencies,
    budget,
  }: {
    /** Adding up to three tenths. */
    readonly faults: FaultShares;
    readonly concurrencies: readonly number[];
    readonly budget: Budget;
  },
): Promise<void> {
  const clean = await optimizeOverHttp(study, { faults: {}, concurrency: 8, budget });
  // Something must have been found, or nothing could have been found differently.
  expect(clean.compiled.lineage.length).toBeGreaterThan(1);
  expect(clean.calls.byFault).toEqual({});

  for (const concurrency of concurrencies) {
    const faulty = await optimizeOverHttp(study, { faults, concurrency, budget });
    expect(faulty.compiled).toEqual(clean.compiled);
    const { byFault, total } = faulty.calls;
    const failed = Object.values(byFault).reduce((sum, count) => sum + count, 0);
    expect(failed / total).toBeGreaterThan(0.25);
    expect(failed / total).toBeLessThan(0.35);
  }
}
