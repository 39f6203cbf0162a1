import type { Scores } from "../comparison/sequential-comparison.ts";
import type { Asker } from "../state/canary-key.ts";
import type { ChatModel } from "./chat-model.ts";

/** A model as it is served. */
export interface ServedModel extends ChatModel {
  /** There where the bare id was asked for, while a candidate stands beside it. */
  readonly canaryRun?: CanaryRun;
}

/** A candidate beside the version that answers by right, while requests come. */
export interface CanaryRun {
  readonly candidate: ChatModel;
  /** The same for all requests of an asker; `baseline` as soon as the trial is over. */
  armOf(asker: Asker): "baseline" | "candidate";
  /** Whether both versions are to answer a question of the baseline: each asker counts once. */
  isShadowed(asker: Asker): boolean;
  /**
   * Counts an asker, and acts on what that decides.
   *
   * @param isUnpaired whether both versions were to answer, and the candidate was not asked
   */
  observe(asker: Asker, scores: Scores, isUnpaired?: boolean): void;
  /** Does not count this asker, nor later: it may know by now which version it gets. */
  spend(asker: Asker): void;
}
