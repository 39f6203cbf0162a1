import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { objectivesOf } from "../../evaluation/objectives-of.ts";
import type { Decision } from "../state/decision.ts";
import type { SearchState } from "../state/search-state.ts";
import { highest } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";

/** Candidates at most: each may take all of val. */
const mostConfirmed = 3;

/**
 * Once score reuse was found wrong, candidates' records still hold scores that they reused before.
 * Runs the best candidate on the examples of val that it was not run on itself; where that makes
 * another one the best, that one as well, and so on. If that comes to no end, the best is one whose
 * scores are its own; where there is no room to run it, it stays as it is.
 */
export async function* confirmBest(
  /** As it stands after what was decided so far. */
  stateNow: () => SearchState,
  tools: Tools,
): AsyncGenerator<readonly Decision[]> {
  const { run, evidence } = tools;
  for (let count = 0; count < mostConfirmed; count++) {
    const { best, iteration } = stateNow();
    if (best === undefined) return;
    const missing = evidence.missingOnVal(best.components);
    if (missing === 0 || !run.fits({ metricCalls: missing, reflections: 0 })) return;
    const confirmed = await confirm(best, iteration, tools);
    if (confirmed === null) break;
    yield [confirmed];
  }
  const own = stateNow().candidates.filter(
    ({ components }) => evidence.missingOnVal(components) === 0,
  );
  const best = highest(own);
  if (best !== undefined) yield [{ kind: "best-replaced", best }];
}

/** The candidate with scores of its own; `null` where faults left too little of val to judge. */
async function confirm(
  candidate: CandidateRecord,
  iteration: number,
  { space, evidence }: Tools,
): Promise<Decision | null> {
  const { id, components } = candidate;
  const [evaluation] = await evidence.evaluate(iteration, [
    { candidate: id, components, split: "val", exampleIds: space.val },
  ]);
  if (evaluation === undefined || !evaluation.isAcceptable || evaluation.value === null)
    return null;
  const { value, scores, coverage, rollouts } = evaluation;
  const selection = { value, scores, coverage, ...objectivesOf(rollouts) };
  return { kind: "confirmed", candidate, selection };
}
