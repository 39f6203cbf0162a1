import { deepFreeze } from "../../internal/index.ts";
import type { CandidateRecord } from "../candidate-record.ts";
import { objectivesOf } from "../objectives-of.ts";
import { evaluateKnown } from "./evaluate-known.ts";
import type { Search } from "./search.ts";
import { replaceCandidate } from "./search.ts";

/** Candidates at most: each may take all of val. */
const mostConfirmed = 3;

/**
 * Once inheritance was found wrong, scores that candidates inherited before are in their records still.
 * Runs the best candidate on the examples of val that it was not run on itself; where that makes another
 * one the best, that one as well, and so on.
 */
export async function confirmBest(search: Search): Promise<void> {
  const { run, space, view, iteration } = search;
  for (let count = 0; count < mostConfirmed; count++) {
    const best = search.best as CandidateRecord;
    const { id, components } = best;
    const missing = view.missingOnVal(components);
    if (missing === 0 || !run.fits({ metricCalls: missing, reflections: 0 })) return;
    const [evaluation] = await evaluateKnown(search, [
      { candidate: id, components, split: "val", exampleIds: space.val },
    ]);
    if (evaluation === undefined || !evaluation.isAcceptable || evaluation.value === null) return;
    const { value, scores, coverage, rollouts } = evaluation;
    const selection = deepFreeze({ value, scores, coverage, ...objectivesOf(rollouts) });
    replaceCandidate(search, Object.freeze({ ...best, selection }));
    run.emit({ kind: "candidate-confirmed", iteration, candidate: id, selection });
  }
}
