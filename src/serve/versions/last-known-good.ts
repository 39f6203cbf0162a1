import type { Artifact } from "../../artifact/index.ts";
import { artifactIn } from "../../artifact/index.ts";
import { messageOf } from "../../errors/index.ts";
import type { ServerLog } from "../telemetry/server-log.ts";
import type { ServeState } from "../state/open-serve-state.ts";

/** The version last served under each bare id, for a start at which the registry cannot be read. */
export interface LastKnownGood {
  of(model: string): Artifact | null;
  /** @param artifact `null` if the program is served as declared */
  keep(model: string, artifact: Artifact | null): void;
}

/** If a version cannot be stored for later, requests are still answered now. */
export function lastKnownGood(state: ServeState, log: ServerLog): LastKnownGood {
  const guarded = <TResult>(model: string, work: () => TResult): TResult | null => {
    try {
      return work();
    } catch (error) {
      log("known-good-unusable", { model, problem: messageOf(error) });
      return null;
    }
  };
  return {
    of: (model) =>
      guarded(model, () => {
        const kept = state.knownGood(model);
        return kept === null ? null : artifactIn(kept, `kept version of model \`${model}\``);
      }),
    keep: (model, artifact) => void guarded(model, () => state.keepKnownGood(model, artifact)),
  };
}
