import type {
  Json,
  Parameter,
  Passage,
  PassageReranker,
  RankedPassage,
  Retriever,
} from "../contract/index.ts";
import type { Wired } from "../signature/index.ts";
import type { CallKey } from "./call/call-path.ts";
import type { ParameterValues } from "./parameter.ts";
import type { Predictor } from "./predictor/predictor.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- each predictor accepts only its own fields, so they have no common supertype
export type Predictors = Readonly<Record<string, Predictor<any, any>>>;
export type Parameters = Readonly<Record<string, Parameter>>;

/** A predictor inside a run: LM, candidate, trace and path are already bound. */
export type PredictorInRun<TPredictor> = TPredictor extends {
  readonly signature: {
    readonly $types: { readonly input: infer $Input; readonly output: infer $Output };
  };
}
  ? <const TGiven>(
      inputs: Wired<TGiven, $Input>,
      options?: PredictorCallOptions<$Output>,
    ) => Promise<$Output>
  : never;

export interface PredictorCallOptions<TOutput> {
  /** Distinguishes calls of one predictor in one scope. */
  readonly key?: CallKey;
  /**
   * Sends all outputs to `RunOptions.onPartial` as they are written, and the text of the named
   * field to `RunOptions.onStream`; in one piece at the end if the reply is not a bare JSON object
   * or the LM does not stream. `true` names no text. Does not affect the result.
   */
  readonly stream?: TextFieldOf<TOutput> | true;
  /** Fewer steps than the agent's own limit; for agents. @default that limit */
  readonly maxSteps?: number;
}

/** Names of the fields that are, or may be, free text; labels do not count. */
export type TextFieldOf<TOutput> = {
  [Name in keyof TOutput & string]: string extends NonNullable<TOutput[Name]> ? Name : never;
}[keyof TOutput & string];

/** The tools of a program's function. Scopes of one run share everything but their path. */
export interface Call<TPredictors extends Predictors, TParameters extends Parameters> {
  readonly predictors: { readonly [K in keyof TPredictors]: PredictorInRun<TPredictors[K]> };
  readonly parameters: ParameterValues<TParameters>;
  /** Fires when the run is aborted or has ended. */
  readonly signal: AbortSignal;
  /**
   * A scope for one step of several: `call.at("hop", 2)`. Its calls have paths such as
   * `hop[2]/generateQueries`. A second call of a predictor in the same scope needs its own key.
   */
  at(name: string, key: CallKey): Call<TPredictors, TParameters>;
  /** Retrieves at most `k` passages and records their ids in the trace. */
  retrieve(
    retriever: Retriever,
    request: { readonly query: string; readonly k: number; readonly key?: CallKey },
  ): Promise<readonly RankedPassage[]>;
  /**
   * Keeps the `k` best passages in a reranker's order; the trace records it as a retrieval. A
   * reranker that needs an LM uses the run's, or the one in `RunOptions.lms` under its name.
   */
  rerank(
    reranker: PassageReranker,
    request: {
      readonly query: string;
      readonly passages: readonly Passage[];
      readonly k: number;
      readonly key?: CallKey;
    },
  ): Promise<readonly RankedPassage[]>;
  /** Records a decision in the trace, under this scope's path. */
  note(key: string, value: Json): void;
  /** Reports progress to the waiting client. Unlike a `note`, a step is not kept. */
  step(text: string): void;
}
