import { bestOf } from "../../candidate/candidate-measures.ts";
import type { StepEvaluation } from "../../evaluation/index.ts";
import type { Stage } from "../state/decision.ts";
import type { Search } from "../state/search-state.ts";
import type { Tools } from "../state/tools.ts";

/** Maximum number of candidates to confirm: each may take all of val. */
const maxConfirmed = 3;

/**
 * After score reuse was found wrong, candidates' records still hold scores that they reused before.
 * This stage, once, runs the best candidate on the val examples on which it has not been run
 * itself; if another candidate becomes the best, it runs that one as well, and so on. If the limit
 * is reached, the best is the highest candidate with only its own scores; if the budget has no room
 * for a run, the best stays as it is.
 */
export async function* confirmBest(search: Search, tools: Tools): Stage {
  const { run, space, evidence } = tools;
  if (!evidence.isReuseWrong || search.state.isReuseOver) return;
  yield [{ kind: "reuse-ended" }];
  for (let count = 0; count < maxConfirmed; count++) {
    const { best, iteration } = search.state;
    if (best === undefined) return;
    const missing = evidence.missingOnVal(best.components);
    if (missing === 0 || !run.fits({ rollouts: missing, reflectionCalls: 0 })) return;
    const [evaluation] = await evidence.evaluate(iteration, [
      { candidate: best.id, components: best.components, split: "val", exampleIds: space.val },
    ]);
    const selection = tools.selectionOf(evaluation as StepEvaluation);
    if (selection === null) break;
    yield [{ kind: "confirmed", candidate: best, selection }];
  }
  const { candidates, superseding } = search.state;
  const own = candidates.filter(({ components }) => evidence.missingOnVal(components) === 0);
  const best = bestOf(own, superseding);
  if (best !== undefined) yield [{ kind: "best-replaced", best }];
}
