import type { PredictorOptions } from "espalier";

/**
 * Greedy, with the authors' token limit; `sampling` is merged over that. An unparseable reply is
 * not corrected: each step that uses this has a default.
 */
export function parsedOnce(
  maxCompletionTokens: number,
  sampling: PredictorOptions["sampling"] = {},
): PredictorOptions {
  return { sampling: { temperature: 0, maxCompletionTokens, ...sampling }, corrections: 0 };
}
