import type { PredictorOptions } from "espalier";

/**
 * Greedy, with the authors' cap on tokens; `sampling` is merged over that. A reply that cannot be parsed is
 * not corrected: each step that takes this has a default for it.
 */
export function parsedOnce(
  maxCompletionTokens: number,
  sampling: PredictorOptions["sampling"] = {},
): PredictorOptions {
  return { sampling: { temperature: 0, maxCompletionTokens, ...sampling }, corrections: 0 };
}
