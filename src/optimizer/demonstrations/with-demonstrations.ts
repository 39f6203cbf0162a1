import type {
  Candidate,
  Component,
  Demonstration,
  NearestDemonstrations,
} from "../../contract/index.ts";
import type { PredictorDemonstration } from "./demonstrations-of.ts";

/**
 * The components with these demonstrations, in their order, for each predictor in place of those
 * that it has; a predictor without any shows none. Components that stay the same keep their object
 * identity.
 *
 * @param nearest by predictor; the others show all that they have
 */
export function withDemonstrations(
  components: Candidate,
  demonstrations: readonly PredictorDemonstration[],
  nearest: ReadonlyMap<string, NearestDemonstrations> = new Map(),
): Candidate {
  const byPredictor = Map.groupBy(demonstrations, ({ predictor }) => predictor);
  return components.map((component): Component => {
    if (component.kind !== "demos") return component;
    const { kind, path } = component;
    const value = (byPredictor.get(path) ?? []).map(
      ({ demonstration }): Demonstration => demonstration,
    );
    const choice = nearest.get(path);
    const isSame =
      JSON.stringify([value, choice]) === JSON.stringify([component.value, component.nearest]);
    return isSame ? component : { kind, path, value, ...(choice && { nearest: choice }) };
  });
}
