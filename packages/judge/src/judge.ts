import type { LanguageModel, TunableProgram } from "../../../src/index.ts";
import { EspalierError } from "../../../src/index.ts";

/** The context of one judgement. */
export interface JudgeRun {
  readonly lm: LanguageModel;
  readonly signal?: AbortSignal;
  /** Keeps demonstrations of the same example out of the prompt. */
  readonly exampleId?: string;
}

/**
 * Judges one case. Rejects with a `FormatError` for an unusable reply, an `LmError` for a fault, or
 * the abort reason: a fault of a judge is never a score.
 */
export type Judge<TCase, TVerdict> = (given: TCase, run: JudgeRun) => Promise<TVerdict>;

/** Runs a judge's program; its requests have the role `judge`. */
export function runJudge<TInput, TOutput>(
  program: TunableProgram<TInput, TOutput>,
  input: TInput,
  { lm, signal, exampleId }: JudgeRun,
): Promise<TOutput> {
  return program.run(input, {
    lm,
    role: "judge",
    ...(signal === undefined ? {} : { signal }),
    ...(exampleId === undefined ? {} : { exampleId }),
  });
}

/** The judge's LM: the metric's own, else the run's. Throws `metric-failed` without either. */
export function judgeLm(
  own: LanguageModel | undefined,
  ofRun: LanguageModel | undefined,
  metric: string,
): LanguageModel {
  const lm = own ?? ofRun;
  if (lm !== undefined) return lm;
  throw new EspalierError({
    code: "metric-failed",
    problem: `Metric \`${metric}\` needs a language model, but has none`,
    expected: "option `lm` of the metric, or the LM of the evaluation",
    fix: "Pass `lm` to the metric, or run it through `evaluate()` or `optimize()`.",
  });
}
