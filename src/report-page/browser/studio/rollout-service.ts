import type { StudioComparison } from "../../data/studio-answers.ts";
import type { OneRollout, RolloutService } from "../data/comparison-index.ts";
import { posted } from "./asked.ts";

/** What was asked for before: a candidate does not change, and neither does what it did. */
export type RolloutsKnown = Map<string, Promise<OneRollout>>;

/** Has single runs from the studio's server, each once. */
export function rolloutService(
  { sources }: Pick<StudioComparison, "sources">,
  known: RolloutsKnown,
): RolloutService {
  return {
    has: (source) => sources[source]?.hasRollouts === true,
    get: ({ source, candidate }, { id: example, split = "val" }) => {
      const given = { source: sources[source]?.id, candidate, split, example };
      const name = JSON.stringify(given);
      const held = known.get(name);
      if (held !== undefined) return held;
      const asked = posted<OneRollout>("/api/rollout", given);
      known.set(name, asked);
      // What failed may succeed when it is asked for again.
      asked.catch(() => known.delete(name));
      return asked;
    },
  };
}
