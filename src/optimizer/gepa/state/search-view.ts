import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { posteriorMeans } from "./estimates.ts";
import { neededOnVal, maxVariance, runsOnPanel } from "./on-val.ts";
import type { SearchState } from "./search-state.ts";
import type { Tools } from "./tools.ts";
import type { MergeView } from "../strategy/merge-proposal.ts";
import type { ProposalView } from "../strategy/views.ts";

/** Of the rollouts left, the share that one step of a wide search may make ahead. */
const shareAhead = 0.1;

/** Everything strategies can see; each kind of strategy sees the part that its type names. */
export type SearchView = ProposalView & MergeView;

/**
 * A state as strategies see it. Lessons and the remaining budget are always current.
 */
export function searchView(state: SearchState, tools: Tools): SearchView {
  const { iteration, candidates, best, frontier, pointers, acceptance } = state;
  const { space, run, settings, componentsOf, evidence } = tools;
  return {
    iteration,
    get ahead() {
      if (settings.proposals.isWide !== true) return 0;
      return Math.floor(shareAhead * run.rolloutsLeft(0));
    },
    candidates,
    best: best as CandidateRecord,
    get likeliestBest() {
      return likeliestBest(state, tools);
    },
    frontier,
    acceptance,
    train: space.train,
    val: space.val,
    lessons: evidence.lessons,
    perfectScore: settings.perfectScore,
    pointerOf: (candidate) => pointers[candidate] ?? 0,
    componentsOf,
    fits: (need) => run.fits(need),
    rolloutsLeft: (reflectionCalls) => run.rolloutsLeft(reflectionCalls),
    neededOnVal: (_, changed) => neededOnVal(evidence.maxMissingOnVal(changed), state, tools),
    emptyExplorations: 0,
    random: (purpose, index = 0) => run.random(`gepa/${purpose}/${index}`, iteration),
    randomOfRun: (purpose, number) => run.random(`gepa/${purpose}`, number),
  };
}

/**
 * Where scores vary from run to run, the candidate with the highest posterior mean, of equal ones
 * the best; where they repeat themselves, the best.
 */
function likeliestBest(state: SearchState, tools: Tools): CandidateRecord {
  const { candidates } = state;
  const best = state.best as CandidateRecord;
  if (!tools.evidence.scoresVary) return best;
  const variance = tools.evidence.varianceOfScores ?? maxVariance;
  const means = posteriorMeans(candidates, (one) => variance / runsOnPanel(one, state, tools));
  const meanOf = ({ id }: CandidateRecord): number => means[id] ?? -Infinity;
  return candidates.reduce((first, one) => (meanOf(one) > meanOf(first) ? one : first), best);
}
