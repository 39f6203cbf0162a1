import type { ValAcceptance } from "espalier/optimizer";
import { gainOf, rounding } from "../../../src/optimizer/gepa/strategy/acceptance.ts";

/** The child must be better than its parent on val. */
export function improvementOnVal(): ValAcceptance {
  return {
    name: "improvement",
    judge: (onVal) =>
      gainOf(onVal) > rounding
        ? { accepts: true }
        : { accepts: false, reason: "Not better than its parent on val." },
  };
}
