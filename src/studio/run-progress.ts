import type { OptimizerEvent } from "../optimizer/index.ts";
import { journalTail } from "../optimizer/files.ts";
import type { RunProgress } from "../report-page/index.ts";

/** Follows one run's decisions. */
export interface RunFollower {
  /** What it has decided by now; `null` if that is what it had at the last look. */
  look(): RunProgress | null;
}

/** Throws `file-malformed`, from `look`, for a journal of another version. */
export function runFollower(folder: string): RunFollower {
  const tail = journalTail(folder);
  let progress = nothing;
  return {
    look: () => {
      const { isAnew, events } = tail.next();
      if (events.length === 0 && !isAnew) return null;
      progress = events.reduce(after, isAnew ? nothing : progress);
      return progress;
    },
  };
}

const nothing: RunProgress = {
  metricCalls: 0,
  tokens: 0,
  iteration: 0,
  candidates: 0,
  best: null,
  hasEnded: false,
};

function after(progress: RunProgress, event: OptimizerEvent): RunProgress {
  switch (event.kind) {
    case "iteration-start":
      return { ...progress, iteration: event.iteration };
    case "budget-spent":
      return { ...progress, metricCalls: event.metricCalls, tokens: event.tokens };
    case "candidate-accepted":
      return {
        ...progress,
        candidates: progress.candidates + 1,
        best: Math.max(progress.best ?? event.value, event.value),
      };
    case "run-end":
      return { ...progress, best: event.value, hasEnded: true };
    default:
      return progress;
  }
}
