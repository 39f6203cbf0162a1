import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import type { SearchState } from "./state/search-state.ts";
import type { Tools } from "./state/tools.ts";

/** Why the search ends here, between two iterations, with further explanation; or `null`. */
export function stopReason(
  { candidates, best: held, idle, failures, iteration }: SearchState,
  { settings, run, space }: Tools,
): readonly [StopReason, string?] | null {
  const best = held as CandidateRecord;
  const { stopWhenPerfect, maxReflectionFailures, maxIdleIterations, minibatchSize } = settings;
  const perfectScore = stopWhenPerfect ? settings.perfectScore : null;
  const view = { iterations: iteration, candidates, best, spent: run.spent };
  for (const { name, looksOutside = false, stop } of settings.stop) {
    const detail = looksOutside
      ? run.observe((now) => stop({ ...view, ...now }))
      : stop({ ...view, elapsedMs: 0, costUsd: null });
    if (detail !== null) return ["stopper", `${name}: ${detail}`];
  }
  if (perfectScore !== null && isPerfect(best, perfectScore)) return ["perfect"];
  if (Math.max(0, ...failures.values()) >= maxReflectionFailures) return ["reflection-failing"];
  const epoch = Math.ceil(space.train.length / minibatchSize);
  if (idle >= (maxIdleIterations ?? Math.max(30, 2 * epoch))) return ["nothing-new"];
  return null;
}

function isPerfect({ selection }: CandidateRecord, perfectScore: number): boolean {
  return Object.values(selection.scores).every((score) => score === null || score >= perfectScore);
}
