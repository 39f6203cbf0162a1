import { test } from "vitest";
import { expectFaultsToChangeNothing } from "./support/expect-faults-to-change-nothing.ts";
import { smallNotesGuided } from "./support/small-notes-guided.ts";

test("notes-guided compiles to the same with 30 % of calls failing, at concurrency 1 and 64", async () => {
  await expectFaultsToChangeNothing(smallNotesGuided, {
    faults: { rateLimit: 0.1, serverError: 0.1, brokenEnvelope: 0.1 },
    concurrencies: [1, 64],
    budget: { metricCalls: 60 },
  });
}, 60_000);
