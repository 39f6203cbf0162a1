import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { posteriorMeans } from "../validation/posterior-means.ts";
import { mostVariance, runsOnPanel } from "./runs-on-panel.ts";
import type { SearchState } from "./search-state.ts";
import type { Tools } from "./tools.ts";

/**
 * Where scores vary from run to run, the candidate with the highest posterior mean, of equal ones
 * the best; where they repeat themselves, the best.
 */
export function likeliestBest(state: SearchState, tools: Tools): CandidateRecord {
  const { candidates } = state;
  const best = state.best as CandidateRecord;
  if (!tools.evidence.scoresVary) return best;
  const variance = tools.evidence.varianceOfScores ?? mostVariance;
  const means = posteriorMeans(candidates, (one) => variance / runsOnPanel(one, state, tools));
  const meanOf = ({ id }: CandidateRecord): number => means[id] ?? -Infinity;
  return candidates.reduce((first, one) => (meanOf(one) > meanOf(first) ? one : first), best);
}
