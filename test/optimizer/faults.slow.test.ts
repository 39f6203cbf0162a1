import { it } from "vitest";
import { expectFaultsToChangeNothing } from "../optimizers/support/expect-faults-to-change-nothing.ts";
import { searches } from "./support/searches.ts";

it.each(searches)(
  "%s compiles to the same with three tenths of calls failing, the others late, at concurrency 1, 8 and 64",
  async (_, { studyOf, budget }) => {
    await expectFaultsToChangeNothing(studyOf, {
      faults: { rateLimit: 0.06, serverError: 0.06, brokenEnvelope: 0.12, unavailable: 0.06 },
      latencyMs: { least: 0, most: 8 },
      concurrencies: [1, 8, 64],
      budget,
    });
  },
);
