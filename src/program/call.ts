import type {
  Json,
  Passage,
  PassageReranker,
  RankedPassage,
  Retriever,
} from "../contract/index.ts";
import type { Wired } from "../signature/index.ts";
import type { CallKey } from "./call/call-path.ts";
import type { Parameter, ParameterValues } from "./parameter.ts";
import type { Predictor } from "./predictor/predictor.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a predictor takes its own fields only, so no one type stands above all
export type Predictors = Readonly<Record<string, Predictor<any, any>>>;
export type Parameters = Readonly<Record<string, Parameter>>;

/** A predictor inside a run: LM, candidate, trace and path are already settled. */
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
  /** Tells calls of one predictor in one scope apart. */
  readonly key?: CallKey;
  /**
   * Sends this field's text to `RunOptions.onStream` as it is written; in one piece at the end where the
   * reply is not a bare JSON object or the LM does not stream. Changes no result.
   */
  readonly stream?: TextFieldOf<TOutput>;
}

/** Names of the fields that are free text, or may be: not of labels. */
export type TextFieldOf<TOutput> = {
  [Name in keyof TOutput & string]: string extends NonNullable<TOutput[Name]> ? Name : never;
}[keyof TOutput & string];

/** What a program's function works with. Scopes of one run share everything but their path. */
export interface Call<TPredictors extends Predictors, TParameters extends Parameters> {
  readonly predictors: { readonly [K in keyof TPredictors]: PredictorInRun<TPredictors[K]> };
  readonly parameters: ParameterValues<TParameters>;
  /** Fires when the run is aborted or over. */
  readonly signal: AbortSignal;
  /**
   * A scope for one step of several: `call.at("hop", 2)`. Its calls have paths such as
   * `hop[2]/generateQueries`. A second call of one predictor in one scope needs a key of its own.
   */
  at(name: string, key: CallKey): Call<TPredictors, TParameters>;
  /** Retrieves at most `k` passages and puts their ids into the trace. */
  retrieve(
    retriever: Retriever,
    request: { readonly query: string; readonly k: number; readonly key?: CallKey },
  ): Promise<readonly RankedPassage[]>;
  /**
   * Keeps the `k` best of the passages by a reranker's order; a retrieval in the trace. A reranker that
   * asks an LM is lent the run's, or that of `RunOptions.lms` under its name.
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
  /** Puts a decision into the trace, under this scope's path. */
  note(key: string, value: Json): void;
  /** Tells whoever waits for the answer what is being done; differs from `note`, which is kept. */
  step(text: string): void;
}
