import type {
  CandidateChoice,
  CandidateRecord,
  OptimizationResult,
  OptimizeOptions,
  OptimizerEvent,
  OptimizerProgress,
} from "../../optimizer/index.ts";
import { optimize, shownQuality } from "../../optimizer/index.ts";
import type { Study } from "../../study/index.ts";
import { checkMeasures } from "../arguments/choice.ts";
import { valueText } from "../terminal/search-text.ts";
import { progressLine, tokensText } from "../terminal/progress-line.ts";
import { printToStderr } from "../terminal/terminal.ts";

/**
 * Optimizes and shows progress. A choice that uses a measure the seed does not have ends the run as
 * soon as the seed is scored.
 */
export async function runSearch(
  study: Study,
  options: OptimizeOptions & { readonly signal: AbortSignal },
  choice?: CandidateChoice,
): Promise<OptimizationResult> {
  using progress = optimizerProgressLine(study.objective.name);
  const refused = new AbortController();
  try {
    return await optimize(study, {
      ...options,
      signal: AbortSignal.any([options.signal, refused.signal]),
      onEvent: (event) => {
        progress.onEvent(event);
        options.onEvent?.(event);
        if (choice === undefined || event.kind !== "candidate-accepted") return;
        // A later candidate may be an estimate alone, without a run that was measured.
        if (event.candidate !== 0) return;
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

/** Shows progress in metric calls, with a line for each accepted candidate. */
export function optimizerProgressLine(metric: string): Disposable & {
  readonly onEvent: (event: OptimizerEvent | OptimizerProgress) => void;
} {
  const line = progressLine("metric calls");
  let seed: CandidateRecord | undefined;
  // It may be an estimate.
  const bestText = (value: number): string =>
    shownQuality({ value, seen: 0, scores: {} }, seed).toFixed(4);
  return {
    onEvent: (event) => {
      if (event.kind === "progress") {
        const { metricCalls: done, cap, etaMs, best, tokens, costUsd } = event;
        const notes = [
          ...(best === null ? [] : [`best ${metric} ${bestText(best)}`]),
          // The first step has not ended.
          ...(tokens === 0 ? [] : [tokensText(tokens)]),
          ...(costUsd === null ? [] : [`$${costUsd.toFixed(2)}`]),
        ];
        line.show({ done, total: cap, etaMs, notes });
      }
      if (event.kind === "candidate-accepted") {
        const { candidate, iteration, record } = event;
        if (candidate === 0) seed = record;
        const what = candidate === 0 ? "before" : `iteration ${iteration}, candidate ${candidate}`;
        const where = record.selection.seen === undefined ? " on val" : "";
        const isBelow = seed !== undefined && record.selection.value < seed.selection.value;
        const below = isBelow ? ", below the program it started from" : "";
        printToStderr(`${what}: ${metric} ${valueText(record.selection, seed)}${where}${below}`);
      }
    },
    [Symbol.dispose]: () => line[Symbol.dispose](),
  };
}
