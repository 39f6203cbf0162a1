import { bestOf } from "../../candidate/best-of.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { selectionOf } from "../../evaluation/index.ts";
import type { Course } from "../state/course.ts";
import type { Decision } from "../state/decision.ts";
import { missingOf } from "../state/kept-for-best.ts";
import type { Tools } from "../state/tools.ts";

/** Maximum number of candidates to confirm: each may take all of val. */
const mostConfirmed = 3;

/**
 * After score reuse was found wrong, candidates' records still hold scores that they reused before.
 * This stage, once, runs the best candidate on the val examples on which it has not been run
 * itself; if another candidate becomes the best, it runs that one as well, and so on. If the limit
 * is reached, the best is the highest candidate with only its own scores; if the budget has no room
 * for a run, the best stays as it is.
 */
export async function confirmBest({ state, act }: Course, tools: Tools): Promise<void> {
  const { run, evidence } = tools;
  if (!evidence.isReuseWrong || state().isReuseOver) return;
  act([{ kind: "reuse-ended" }]);
  for (let count = 0; count < mostConfirmed; count++) {
    const { best, iteration } = state();
    if (best === undefined) return;
    const missing = evidence.missingOnVal(best.components);
    if (missing === 0 || !run.fits({ rollouts: missing, reflectionCalls: 0 })) return;
    const confirmed = await confirm(best, iteration, tools);
    if (confirmed === null) break;
    act([confirmed]);
  }
  const { candidates, superseding } = state();
  const own = candidates.filter(({ components }) => evidence.missingOnVal(components) === 0);
  const best = bestOf(own, superseding);
  if (best !== undefined) act([{ kind: "best-replaced", best }]);
}

/**
 * Runs the best candidate on all of val where it was accepted on part of it, if the budget has room
 * for that; if another candidate becomes the best, that one as well, and so on.
 */
export async function completeBest({ state, act }: Course, tools: Tools): Promise<void> {
  for (;;) {
    const { best, iteration } = state();
    const missing = missingOf(best, tools);
    if (best === undefined || missing === 0) return;
    if (!tools.run.fits({ rollouts: missing, reflectionCalls: 0 })) return;
    const completed = await confirm(best, iteration, tools);
    if (completed === null) return;
    act([completed]);
  }
}

/** The candidate with its own scores; `null` if faults left too little of val to judge. */
async function confirm(
  candidate: CandidateRecord,
  iteration: number,
  { space, evidence }: Tools,
): Promise<Decision | null> {
  const { id, components } = candidate;
  const [evaluation] = await evidence.evaluate(iteration, [
    { candidate: id, components, split: "val", exampleIds: space.val },
  ]);
  const selection = evaluation === undefined ? null : selectionOf(evaluation);
  return selection && { kind: "confirmed", candidate, selection };
}
