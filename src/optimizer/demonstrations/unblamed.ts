import type { PredictorDemonstration } from "./demonstrations-of.ts";

/**
 * Those that no feedback blames, of each predictor that has such; where it is blamed for every
 * call, as by a metric that comments on whatever it sees, blame tells nothing and all of its stay.
 */
export function unblamed<
  TDemonstration extends Pick<PredictorDemonstration, "predictor" | "isBlamed">,
>(demonstrations: readonly TDemonstration[]): readonly TDemonstration[] {
  const others = new Set(
    demonstrations.flatMap(({ predictor, isBlamed }) => (isBlamed === true ? [] : [predictor])),
  );
  return demonstrations.filter(
    ({ predictor, isBlamed }) => isBlamed !== true || !others.has(predictor),
  );
}
