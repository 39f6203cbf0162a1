import type {
  Attempt,
  Candidate,
  Component,
  DeepPartial,
  Embedder,
  JsonObject,
  LmMessage,
  ParameterValue,
  Runnable,
  RunOptions,
} from "../contract/index.ts";
import type { FieldSchemas, InputOf, OutputOf, ReceivedOf } from "../signature/index.ts";
import type { Call, Parameters, Predictors } from "./call.ts";
import type { ParameterValues } from "./parameter.ts";

export interface ProgramDefinition<
  TInput extends FieldSchemas,
  TOutput extends FieldSchemas,
  TPredictors extends Predictors,
  TParameters extends Parameters,
> {
  /** Kebab-case. */
  readonly name: string;
  /** Change it whenever `forward` changes. */
  readonly version: string;
  /** Module specifier from which a worker or server can load the program. */
  readonly module?: string;
  readonly input: TInput;
  readonly output: TOutput;
  /** Empty for a program that asks no LM, such as one that only searches. */
  readonly predictors: TPredictors;
  /** Numbers and choices that an optimizer may change. @default none */
  readonly parameters?: TParameters;
  /** The program itself. It must depend only on its arguments and its closure. */
  readonly forward: (
    input: ReceivedOf<TInput>,
    call: Call<TPredictors, TParameters>,
  ) => Promise<OutputOf<TOutput>>;
}

/** What optimizers and serving need of a program, independent of its fields. */
export interface TunableProgram<TInput = unknown, TOutput = unknown> extends Runnable<
  TInput,
  TOutput
> {
  readonly input: FieldSchemas;
  readonly output: FieldSchemas;
  readonly predictors: Predictors;
  readonly parameters: Parameters;
  readonly parameterValues: Readonly<Record<string, ParameterValue>>;
  /**
   * Runs once. Rejects with the attempt's error: an `EspalierError`, whose `code` tells its kind,
   * or the abort reason.
   */
  run(input: TInput, options: RunOptions): Promise<TOutput>;
  /** Every component with its current value. */
  components(): readonly Component[];
  /** The same program with the candidate's components. */
  with(candidate: Candidate): TunableProgram<TInput, TOutput>;
  /** Chooses demonstrations by vectors, for those of its predictors that do; `null`: none. */
  readonly embedder: Embedder | null;
  /**
   * The same program with an embedder, which its predictors ask at each call if their
   * demonstrations are chosen by vectors. It is asked for each text once.
   *
   * @throws EspalierError `component-invalid` if demonstrations have vectors of another one
   */
  withEmbedder(embedder: Embedder): TunableProgram<TInput, TOutput>;
  /**
   * The exact messages one predictor would send, without a call.
   *
   * @param options.vector of the inputs, from `embedInputs()`; needed where it is not `null`
   */
  render(
    predictor: string,
    inputs: JsonObject,
    options?: { readonly vector?: string | null | undefined },
  ): readonly LmMessage[];
  /**
   * The vector by which a predictor chooses demonstrations for the inputs, as artifacts hold it;
   * `null` if it needs none.
   */
  embedInputs(
    predictor: string,
    inputs: JsonObject,
    options?: { readonly signal?: AbortSignal },
  ): Promise<string | null>;
}

/** Named predictors, tunable parameters and one async function. Immutable. */
export interface Program<
  TInput extends FieldSchemas = FieldSchemas,
  TOutput extends FieldSchemas = FieldSchemas,
  TPredictors extends Predictors = Predictors,
  TParameters extends Parameters = Parameters,
> extends TunableProgram<InputOf<TInput>, OutputOf<TOutput>> {
  readonly input: TInput;
  readonly output: TOutput;
  readonly predictors: TPredictors;
  readonly parameters: TParameters;
  readonly parameterValues: ParameterValues<TParameters>;
  attempt(
    input: InputOf<TInput>,
    options: RunOptions<DeepPartial<OutputOf<TOutput>>>,
  ): Promise<Attempt<OutputOf<TOutput>>>;
  run(
    input: InputOf<TInput>,
    options: RunOptions<DeepPartial<OutputOf<TOutput>>>,
  ): Promise<OutputOf<TOutput>>;
  with(candidate: Candidate): Program<TInput, TOutput, TPredictors, TParameters>;
  withEmbedder(embedder: Embedder): Program<TInput, TOutput, TPredictors, TParameters>;
  render(
    predictor: Extract<keyof TPredictors, string>,
    inputs: JsonObject,
    options?: { readonly vector?: string | null | undefined },
  ): readonly LmMessage[];
}
