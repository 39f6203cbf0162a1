import type { StopReason } from "../../optimizer/index.ts";

/** Why a run ended, for a person. */
export const stopReasons: Readonly<Record<StopReason, string>> = {
  budget: "stopped at the budget",
  stopper: "stopped by a stopper",
  perfect: "stopped with a perfect score on val",
  "all-tried": "tried all that it was to try",
  "nothing-new": "stopped since reflection brought nothing new",
  "reflection-failing": "stopped since the reflection LM kept failing",
};
