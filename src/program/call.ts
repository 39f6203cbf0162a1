import type {
  Json,
  JsonObject,
  LanguageModel,
  Passage,
  PassageReranker,
  RankedPassage,
  Retriever,
  RunOptions,
  TraceNode,
} from "../contract/index.ts";
import { ownValue, systemClock } from "../internal/index.ts";
import type { Wired } from "../signature/index.ts";
import type { CallKey } from "./call-path.ts";
import { callPath, pathClaims } from "./call-path.ts";
import { lmSession } from "./lm-session.ts";
import type { Parameter, ParameterValues } from "./parameter.ts";
import type { Predictor } from "./predictor.ts";
import type { Ranking } from "./traced-ranking.ts";
import { checkK, tracedRanking } from "./traced-ranking.ts";

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

export interface RecordedCall<TPredictors extends Predictors, TParameters extends Parameters> {
  readonly call: Call<TPredictors, TParameters>;
  readonly notes: Readonly<Record<string, Json>>;
  /** The trace so far; calls that have not ended are left out. */
  children(): readonly TraceNode[];
}

interface Scope {
  readonly path: string;
  /** One slot per call, in the order they started; a function for a scope, filled as it goes. */
  readonly slots: (TraceNode | (() => TraceNode) | undefined)[];
}

/** Makes the root call of one run. */
export function recordedCall<TPredictors extends Predictors, TParameters extends Parameters>(
  {
    predictors,
    parameters,
  }: {
    readonly predictors: TPredictors;
    readonly parameters: ParameterValues<TParameters>;
  },
  options: RunOptions & { readonly signal: AbortSignal },
): RecordedCall<TPredictors, TParameters> {
  const claim = pathClaims();
  const notes: Record<string, Json> = {};
  const scopes = new Map<string, Call<TPredictors, TParameters>>();
  const { onStream, ...others } = options;
  // What a run leaves behind is heard of no more.
  const listening: RunOptions =
    onStream === undefined
      ? options
      : {
          ...others,
          onStream: (piece) => {
            if (!options.signal.aborted) onStream(piece);
          },
        };

  const predicting = async (
    scope: Scope,
    { name, predictor, key, stream }: PredictorAt,
    inputs: JsonObject,
  ): Promise<unknown> => {
    const path = callPath(scope.path, name, key);
    claim(path);
    const slot = scope.slots.push(undefined) - 1;
    const result = await predictor.attemptCall(
      inputs,
      { path, predictor: name, stream },
      listening,
    );
    scope.slots[slot] = result.trace;
    if (result.ok) return result.outputs;
    throw result.error;
  };

  const ranking = async (
    scope: Scope,
    { name, query, k, key }: Omit<Ranking, "path"> & { readonly key: CallKey | undefined },
    rank: (lm: LanguageModel) => Promise<readonly RankedPassage[]>,
  ): Promise<readonly RankedPassage[]> => {
    const path = callPath(scope.path, name, key);
    checkK(k, path);
    claim(path);
    const slot = scope.slots.push(undefined) - 1;
    const session = lmSession(ownValue(options.lms ?? {}, name) ?? options.lm, {
      path,
      role: "reranking",
      run: options,
      clock: systemClock,
      namesRequests: true,
    });
    const result = await tracedRanking({ name, query, k, path }, session, {
      rank,
      signal: options.signal,
    });
    scope.slots[slot] = result.trace;
    if (result.ok) return result.passages;
    throw result.error;
  };

  const { signal } = options;
  const callIn = (scope: Scope): Call<TPredictors, TParameters> => ({
    parameters,
    signal,
    predictors: Object.fromEntries(
      Object.entries(predictors).map(([name, predictor]) => [
        name,
        (inputs: JsonObject, { key, stream }: Omit<PredictorAt, "name" | "predictor"> = {}) =>
          startedEarly(predicting(scope, { name, predictor, key, stream }, inputs)),
      ]),
    ) as Call<TPredictors, TParameters>["predictors"],
    at: (name, key) => {
      const path = callPath(scope.path, name, key);
      const known = scopes.get(path);
      if (known !== undefined) return known;
      claim(path);
      const inner: Scope = { path, slots: [] };
      scope.slots.push(() => ({ kind: "scope", path, children: nodesOf(inner) }));
      const call = callIn(inner);
      scopes.set(path, call);
      return call;
    },
    retrieve: (retriever, { query, k, key }) =>
      startedEarly(
        ranking(scope, { name: retriever.name, query, k, key }, () =>
          retriever.doRetrieve({ query, k }, { signal }),
        ),
      ),
    rerank: (reranker, { query, passages, k, key }) =>
      startedEarly(
        ranking(scope, { name: reranker.name, query, k, key }, (lm) =>
          reranker.doRerank({ query, passages, k }, { signal, lm }),
        ),
      ),
    note: (key, value) => {
      notes[callPath(scope.path, key)] = value;
    },
    step: (text) => {
      if (!signal.aborted) options.onStep?.({ path: scope.path, text });
    },
  });

  const root: Scope = { path: "", slots: [] };
  return { call: callIn(root), notes, children: () => nodesOf(root) };
}

interface PredictorAt {
  readonly name: string;
  readonly predictor: Predictors[string];
  readonly key?: CallKey | undefined;
  readonly stream?: string | undefined;
}

/**
 * A program may start a call and await it later, or never. When it ends before, the call is aborted
 * with nobody listening, which must not end the process: its failure is in the trace.
 */
function startedEarly<TResult>(call: Promise<TResult>): Promise<TResult> {
  call.catch(() => undefined);
  return call;
}

function nodesOf({ slots }: Scope): readonly TraceNode[] {
  return slots.flatMap((slot) =>
    slot === undefined ? [] : typeof slot === "function" ? slot() : slot,
  );
}
