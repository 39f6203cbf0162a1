import type { StopReason } from "../../optimizer/index.ts";

/** Why a run ended, in words. */
export const stopReasons: Readonly<Record<StopReason, string>> = {
  budget: "stopped at the budget",
  stopper: "stopped by a stopper",
  perfect: "stopped with a perfect score on val",
  "all-tried": "tried everything there was to try",
  "nothing-new": "stopped because reflection proposed nothing new",
  "reflection-failing": "stopped because the reflection LM kept failing",
};
