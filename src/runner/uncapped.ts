import type { Spending } from "./runner.ts";

/** Accounts for runs elsewhere that no cap limits. */
export const uncapped: Spending = {
  reserve: async () => ({
    granted: {},
    exceeded: (cap) => new RangeError(`Nothing caps ${cap}.`),
    release: () => {},
  }),
};
