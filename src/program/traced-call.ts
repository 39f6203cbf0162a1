import type {
  Json,
  JsonObject,
  LanguageModel,
  RankedPassage,
  RetrievalTrace,
  RunOptions,
  TraceClock,
  TraceNode,
} from "../contract/index.ts";
import { getOwn } from "../internal/index.ts";
import type { Call, Parameters, Predictors } from "./call.ts";
import type { CallKey } from "./call/call-path.ts";
import { callPath, pathClaims } from "./call/call-path.ts";
import type { LmSession } from "./call/lm-session.ts";
import { lmSession } from "./call/lm-session.ts";
import type { WeightsByPredictor } from "./label-weights.ts";
import type { ParameterValues } from "./parameter.ts";
import { EspalierError } from "../errors/index.ts";
import { callFailure } from "./call/call-failure.ts";

export interface TracedCall<TPredictors extends Predictors, TParameters extends Parameters> {
  readonly call: Call<TPredictors, TParameters>;
  readonly notes: Readonly<Record<string, Json>>;
  /** The trace so far, without unfinished calls. */
  children(): readonly TraceNode[];
}

interface Scope {
  readonly path: string;
  /**
   * One slot per call, in the order they started; a scope's slot is a function that reads its
   * current trace.
   */
  readonly slots: (TraceNode | (() => TraceNode) | undefined)[];
}

/** Makes the root call of one run. */
export function tracedCall<TPredictors extends Predictors, TParameters extends Parameters>(
  {
    predictors,
    parameters,
    weights,
  }: {
    readonly predictors: TPredictors;
    readonly parameters: ParameterValues<TParameters>;
    /** By predictor. */
    readonly weights: WeightsByPredictor;
  },
  options: RunOptions & { readonly signal: AbortSignal; readonly clock: TraceClock },
): TracedCall<TPredictors, TParameters> {
  const claim = pathClaims();
  const notes: Record<string, Json> = {};
  const scopes = new Map<string, Call<TPredictors, TParameters>>();
  const { onStream, onPartial, ...others } = options;
  const { clock } = options;
  // Calls left over after a run's end no longer reach its listeners.
  const listening: RunOptions = {
    ...others,
    ...(onStream && {
      onStream: (piece) => {
        if (!options.signal.aborted) onStream(piece);
      },
    }),
    ...(onPartial && {
      onPartial: (outputs, origin) => {
        if (!options.signal.aborted) onPartial(outputs, origin);
      },
    }),
  };

  const predicting = async (
    scope: Scope,
    { name, predictor, key, stream, maxSteps }: PredictorAt,
    inputs: JsonObject,
  ): Promise<unknown> => {
    const path = callPath(scope.path, name, key);
    claim(path);
    const slot = scope.slots.push(undefined) - 1;
    const result = await predictor.attemptCall(
      inputs,
      { path, predictor: name, stream, maxSteps, weights: getOwn(weights, name) },
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
    const session = lmSession(getOwn(options.lms ?? {}, name) ?? options.lm, {
      path,
      role: "reranking",
      run: options,
      clock,
      namesRequests: true,
    });
    const result = await tracedRanking({ name, query, k, path }, session, {
      rank,
      signal: options.signal,
      clock,
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
        (inputs: JsonObject, at: Omit<PredictorAt, "name" | "predictor"> = {}) =>
          startedEarly(predicting(scope, { ...at, name, predictor }, inputs)),
      ]),
    ) as Call<TPredictors, TParameters>["predictors"],
    at: (name, key) => {
      const path = callPath(scope.path, name, key);
      const known = scopes.get(path);
      if (known !== undefined) return known;
      claim(path);
      const inner: Scope = { path, slots: [] };
      const startMs = clock.now();
      scope.slots.push(() => ({ kind: "scope", path, startMs, children: nodesOf(inner) }));
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
  readonly stream?: string | true | undefined;
  readonly maxSteps?: number | undefined;
}

/**
 * A program may start a call and await it later, or never. If the program ends first, the call is
 * aborted with no handler attached, which must not end the process: its failure is in the trace.
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

/** A call of a retriever or a reranker. */
interface Ranking {
  readonly name: string;
  readonly query: string;
  readonly k: number;
  readonly path: string;
}

type TracedRanking = { readonly trace: RetrievalTrace } & (
  | { readonly ok: true; readonly passages: readonly RankedPassage[] }
  | { readonly ok: false; readonly error: unknown }
);

/** Ranks and traces the outcome; never rejects. */
async function tracedRanking(
  { name, query, k, path }: Ranking,
  session: LmSession,
  {
    rank,
    signal,
    clock,
  }: {
    readonly rank: (lm: LanguageModel) => Promise<readonly RankedPassage[]>;
    readonly signal: AbortSignal;
    readonly clock: TraceClock;
  },
): Promise<TracedRanking> {
  const startMs = clock.now();
  const traceOf = (passages: readonly RankedPassage[]): RetrievalTrace => ({
    kind: "retrieval",
    path,
    retriever: name,
    query,
    k,
    results: passages.map(({ id, score }) => ({ id, score })),
    ...(session.records.length > 0 && { calls: session.records }),
    startMs,
    latencyMs: clock.now() - startMs,
  });
  try {
    const passages = (await rank(session.lm)).slice(0, k);
    return { ok: true, passages, trace: traceOf(passages) };
  } catch (error) {
    return { ok: false, error, trace: { ...traceOf([]), failure: callFailure(error, signal) } };
  }
}

/** Throws `input-invalid` unless `k` is a valid number of passages. */
function checkK(k: number, path: string): void {
  if (Number.isSafeInteger(k) && k >= 1) return;
  throw new EspalierError({
    code: "input-invalid",
    problem: "The number of passages `k` is invalid",
    where: `call path "${path}"`,
    expected: "a whole number of at least 1",
    got: String(k),
  });
}
