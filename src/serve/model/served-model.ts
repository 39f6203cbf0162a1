import type { Scores } from "../comparison/sequential-comparison.ts";
import type { Asker } from "../state/stored-canary.ts";
import type { ChatModel } from "./chat-model.ts";

export interface ServedModel extends ChatModel {
  /** Set if the request named the bare id while a candidate is on trial. */
  readonly canaryRun?: CanaryRun;
}

/** A trial of a candidate against the baseline version, on live requests. */
export interface CanaryRun {
  readonly candidate: ChatModel;
  /** The same for all requests of an asker; `baseline` as soon as the trial is over. */
  armOf(asker: Asker): "baseline" | "candidate";
  /** Whether both versions answer this question of the baseline; each asker counts once. */
  isShadowed(asker: Asker): boolean;
  /**
   * Counts an asker, and acts on the decision that follows.
   *
   * @param isUnpaired whether both versions should have answered, but the candidate was not asked
   */
  observe(asker: Asker, scores: Scores, isUnpaired?: boolean): void;
  /** Excludes this asker now and later, because it may know which version it gets. */
  spend(asker: Asker): void;
}
