import type { ValAcceptance } from "../../../src/optimizer/gepa/strategy/strategy.ts";

/** Every child evaluated on val becomes a candidate, as in gepa 0.1.4. */
export function anyOnVal(): ValAcceptance {
  return {
    name: "any",
    judge: () => ({ accepts: true }),
  };
}
