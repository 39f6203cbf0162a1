import type {
  CandidateChoice,
  OptimizationResult,
  OptimizeOptions,
} from "../../optimizer/index.ts";
import { optimize } from "../../optimizer/index.ts";
import type { Study } from "../../study/index.ts";
import { checkMeasures } from "./check-choice.ts";
import { optimizerProgressLine } from "./optimizer-progress-line.ts";
import { tell } from "../terminal/terminal.ts";

/**
 * Optimizes and shows how far it is. Ends as soon as the seed is evaluated when it is not measured by
 * what the choice at the end names, with the choice's own error. `goingOn` is said once the run is not refused.
 */
export async function runSearch(
  study: Study,
  options: OptimizeOptions & { readonly signal: AbortSignal },
  {
    choice,
    goingOn,
  }: { readonly choice: CandidateChoice | undefined; readonly goingOn: string | null },
): Promise<OptimizationResult> {
  using progress = optimizerProgressLine(study.objective.name);
  const refused = new AbortController();
  try {
    return await optimize(study, {
      ...options,
      signal: AbortSignal.any([options.signal, refused.signal]),
      onEvent: (event) => {
        if (event.kind === "run-start" && goingOn !== null) tell(goingOn);
        progress.onEvent(event);
        if (event.kind !== "candidate-accepted" || choice === undefined) return;
        try {
          checkMeasures(choice, event.record);
        } catch (error) {
          refused.abort(error);
        }
      },
    });
  } catch (error) {
    throw refused.signal.aborted && !options.signal.aborted ? refused.signal.reason : error;
  }
}
