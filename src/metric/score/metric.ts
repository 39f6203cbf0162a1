import type {
  BlamePath,
  Example,
  Metric,
  MetricArguments,
  MetricRow,
  Score,
} from "../../contract/index.ts";
import type { Failure } from "../../errors/index.ts";
import type { FieldSchemas, OutputOf } from "../../signature/index.ts";
import type { LiteralPaths } from "./scores.ts";
import { scored } from "./scores.ts";

/** A score whose blame fits the predictors, or one of a type that does not tell its paths. */
type FittingScore<TPredictor extends string> =
  | Score<BlamePath<TPredictor>>
  | (Score & LiteralPaths<never>);

export interface MetricDefinition<TInput, TOutput, TLabels, TPredictor extends string = string> {
  /** The name in reports and tracking: letters, digits, `_`, `-`, `.`, `/`. */
  readonly name: string;
  readonly version: string;
  /** Module specifier from which a worker can load the metric. */
  readonly module?: string;
  /**
   * Whether `score` can give a score to some output for this example. Where it cannot, optimizers
   * spend nothing on the example. @default true
   */
  readonly appliesTo?: (example: Example<TInput, TLabels>) => boolean;
  /** Judges one output: `scored(...)`, `notApplicable(...)` or `unscored(...)`. */
  readonly score: (
    args: MetricArguments<TInput, TOutput, TLabels>,
  ) => FittingScore<TPredictor> | Promise<FittingScore<TPredictor>>;
  /** Score of a run with unparseable output. @default scored(0, the failure's message) */
  readonly formatFailure?: (failure: Failure, example: Example<TInput, TLabels>) => Score;
  /** Objective over the scored examples. @default their mean */
  readonly aggregate?: (rows: readonly MetricRow<TInput, TLabels>[]) => number;
}

/** What a metric reads, as fields: types alone, from which those of `score` follow. */
interface ReadFields<TOutput extends FieldSchemas, TLabels extends FieldSchemas> {
  /** Outputs; a program's own `output` can be passed directly. */
  readonly output: TOutput;
  /** @default none */
  readonly labels?: TLabels;
}

/**
 * Makes a metric from a scoring function.
 *
 * @example
 * const brevity = metric({
 *   name: "brevity",
 *   version: "1",
 *   output: answerer.output,
 *   score: ({ output }) =>
 *     output.answer.length <= 200 ? scored(1) : scored(0, "The answer is over 200 characters."),
 * });
 */
export function metric<
  TOutput extends FieldSchemas,
  TLabels extends FieldSchemas = Record<never, never>,
>(
  definition: MetricDefinition<unknown, OutputOf<TOutput>, OutputOf<TLabels>> &
    ReadFields<TOutput, TLabels>,
): Metric<unknown, OutputOf<TOutput>, OutputOf<TLabels>>;
export function metric<TInput = unknown, TOutput = unknown, TLabels = unknown>(
  definition: MetricDefinition<TInput, TOutput, TLabels>,
): Metric<TInput, TOutput, TLabels>;
export function metric<TInput, TOutput, TLabels>({
  name,
  version,
  module,
  appliesTo,
  score,
  formatFailure = (failure) => scored(0, failure.message),
  aggregate,
}: MetricDefinition<TInput, TOutput, TLabels>): Metric<TInput, TOutput, TLabels> {
  return Object.freeze({
    name,
    version,
    ...(module === undefined ? {} : { module }),
    ...(appliesTo === undefined ? {} : { appliesTo }),
    doScore: score,
    scoreFormatFailure: formatFailure,
    ...(aggregate === undefined ? {} : { aggregate }),
  });
}
