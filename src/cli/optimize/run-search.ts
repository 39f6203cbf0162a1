import type {
  CandidateChoice,
  OptimizationResult,
  OptimizeOptions,
} from "../../optimizer/index.ts";
import { optimize } from "../../optimizer/index.ts";
import type { Study } from "../../study/index.ts";
import { checkMeasures } from "../arguments/check-choice.ts";
import { optimizerProgressLine } from "./optimizer-progress-line.ts";
import { printToStderr } from "../terminal/terminal.ts";

/**
 * Optimizes and shows progress. If the seed lacks a measure that the final choice uses, stops right
 * after the seed's evaluation with the choice's error. Prints `resumeNotice` once the run has
 * started.
 */
export async function runSearch(
  study: Study,
  options: OptimizeOptions & { readonly signal: AbortSignal },
  {
    choice,
    resumeNotice,
  }: { readonly choice: CandidateChoice | undefined; readonly resumeNotice: string | null },
): Promise<OptimizationResult> {
  using progress = optimizerProgressLine(study.objective.name);
  const refused = new AbortController();
  try {
    return await optimize(study, {
      ...options,
      signal: AbortSignal.any([options.signal, refused.signal]),
      onEvent: (event) => {
        if (event.kind === "run-start" && resumeNotice !== null) printToStderr(resumeNotice);
        progress.onEvent(event);
        options.onEvent?.(event);
        // A later candidate may be an estimate alone, without a run that was measured.
        if (event.kind !== "candidate-accepted" || event.candidate !== 0) return;
        if (choice === undefined) return;
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
