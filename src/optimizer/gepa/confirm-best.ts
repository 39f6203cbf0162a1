import { deepFreeze } from "../../internal/index.ts";
import type { CandidateRecord } from "../candidate/candidate-record.ts";
import { objectivesOf } from "../evaluation/objectives-of.ts";
import { evaluateKnown } from "./evaluate-known.ts";
import type { Search } from "./search.ts";
import { highest, replaceCandidate } from "./search.ts";

/** Candidates at most: each may take all of val. */
const mostConfirmed = 3;

/**
 * Once inheritance was found wrong, scores that candidates inherited before are in their records still.
 * Runs the best candidate on the examples of val that it was not run on itself; where that makes another
 * one the best, that one as well, and so on. If that comes to no end, the best is one whose scores are its
 * own; where there is no room to run it, it stays as it is.
 */
export async function confirmBest(search: Search): Promise<void> {
  const { run, view, candidates } = search;
  for (let count = 0; count < mostConfirmed; count++) {
    const { best } = view;
    const missing = view.missingOnVal(best.components);
    if (missing === 0 || !run.fits({ metricCalls: missing, reflections: 0 })) return;
    if (!(await confirm(search, best))) break;
  }
  const own = candidates.filter(({ components }) => view.missingOnVal(components) === 0);
  search.best = highest(own) ?? search.best;
}

/** Puts the candidate's own scores into its record; not where faults left too little of val to judge. */
async function confirm(search: Search, candidate: CandidateRecord): Promise<boolean> {
  const { run, space, iteration } = search;
  const { id, components } = candidate;
  const [evaluation] = await evaluateKnown(search, [
    { candidate: id, components, split: "val", exampleIds: space.val },
  ]);
  if (evaluation === undefined || !evaluation.isAcceptable || evaluation.value === null)
    return false;
  const { value, scores, coverage, rollouts } = evaluation;
  const selection = deepFreeze({ value, scores, coverage, ...objectivesOf(rollouts) });
  replaceCandidate(search, Object.freeze({ ...candidate, selection }));
  run.emit({ kind: "candidate-confirmed", iteration, candidate: id, selection });
  return true;
}
