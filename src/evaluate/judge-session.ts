import type { LanguageModel, RunOptions } from "../contract/index.ts";
import type { Clock } from "../internal/index.ts";
import type { LmSession } from "../program/index.ts";
import { lmSession } from "../program/index.ts";

/**
 * The LM that a metric is lent for one score. Its calls have paths such as `judge/grade-answer`, so that
 * their seeds depend on example and repetition as the program's do, and never on the candidate.
 */
export function judgeSession(
  lm: LanguageModel,
  { seed = 0, exampleId = "", repetition = 0, signal }: Omit<RunOptions, "lm">,
  clock: Clock,
): LmSession {
  return lmSession(lm, {
    path: "judge",
    role: "judge",
    run: { seed, exampleId, repetition, ...(signal && { signal }) },
    clock,
    namesRequests: true,
  });
}
