import type { Candidate, Component, Demonstration } from "../../contract/index.ts";
import type { PredictorDemonstration } from "./demonstrations-of.ts";

/**
 * The components with these demonstrations, in their order, for each predictor in place of those
 * that it has; a predictor without any shows none. Components that stay the same keep their object
 * identity.
 */
export function withDemonstrations(
  components: Candidate,
  demonstrations: readonly PredictorDemonstration[],
): Candidate {
  const byPredictor = Map.groupBy(demonstrations, ({ predictor }) => predictor);
  return components.map((component): Component => {
    if (component.kind !== "demos") return component;
    const value = (byPredictor.get(component.path) ?? []).map(
      ({ demonstration }): Demonstration => demonstration,
    );
    const isSame = JSON.stringify(value) === JSON.stringify(component.value);
    return isSame ? component : { ...component, value };
  });
}
