import type { CandidateRecord } from "../candidate/candidate-record.ts";
import type { StopReason } from "../contract/optimizer-event.ts";
import { outsideStopIn } from "../contract/outside-stop.ts";
import type { SearchState } from "./state/search-state.ts";
import type { Tools } from "./state/tools.ts";

type Ending = readonly [reason: StopReason, detail?: string];

/** Why the search ends here, between two iterations, with further explanation; or `null`. */
export function stopReason(state: SearchState, tools: Tools): Ending | null {
  return byStopper(state, tools) ?? bySearch(state, tools) ?? fromOutside(tools);
}

function byStopper(
  { candidates, best, iteration }: SearchState,
  { settings, run }: Tools,
): Ending | null {
  const view = {
    iterations: iteration,
    candidates,
    best: best as CandidateRecord,
    spent: run.spent,
  };
  for (const { name, looksOutside = false, stop } of settings.stop) {
    const detail = looksOutside
      ? run.observe((now) => stop({ ...view, ...now }))
      : stop({ ...view, elapsedMs: 0, costUsd: null });
    if (detail !== null) return ["stopper", `${name}: ${detail}`];
  }
  return null;
}

function bySearch(
  { best, idle, failures }: SearchState,
  { settings, space }: Tools,
): Ending | null {
  const { stopWhenPerfect, maxReflectionFailures, maxIdleIterations, minibatchSize } = settings;
  const perfectScore = stopWhenPerfect ? settings.perfectScore : null;
  if (perfectScore !== null && isPerfect(best as CandidateRecord, perfectScore)) return ["perfect"];
  if (Math.max(0, ...failures.values()) >= maxReflectionFailures) return ["reflection-failing"];
  const epoch = Math.ceil(space.train.length / minibatchSize);
  if (idle >= (maxIdleIterations ?? Math.max(30, 2 * epoch))) return ["nothing-new"];
  return null;
}

/** Last, so that a run stopped from outside is one that would have gone on. */
function fromOutside({ settings, run }: Tools): Ending | null {
  const detail = outsideStopIn(settings.outsideStops, run);
  return detail === null ? null : ["stopper", detail];
}

/** A candidate that was accepted on part of val counts once that part is perfect. */
function isPerfect({ selection }: CandidateRecord, perfectScore: number): boolean {
  return Object.values(selection.scores).every((score) => score === null || score >= perfectScore);
}
