import type {
  LanguageModel,
  RankedPassage,
  RetrievalTrace,
  TraceClock,
} from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { callFailure } from "./call/call-failure.ts";
import type { LmSession } from "./call/lm-session.ts";

/** A call of a retriever or a reranker. */
export interface Ranking {
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
export async function tracedRanking(
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
export function checkK(k: number, path: string): void {
  if (Number.isSafeInteger(k) && k >= 1) return;
  throw new EspalierError({
    code: "input-invalid",
    problem: "The number of passages `k` is invalid",
    where: `call path "${path}"`,
    expected: "a whole number of at least 1",
    got: String(k),
  });
}
