import type { Embedder, PairScorer, Reranker } from "../../contract/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { Limiter } from "../wrappers/with-limit.ts";
import { limiter } from "../wrappers/with-limit.ts";
import type { RetryOptions } from "../wrappers/retry.ts";
import type { AroundCall } from "./around-text-model.ts";
import { aroundTextModel, countCalls, limitCalls, retryCalls } from "./around-text-model.ts";
import { batchedEmbedder } from "./batched-embedder.ts";
import type { EmbedderOptions } from "./embedder.ts";
import { embedder } from "./embedder.ts";
import { pairScorer } from "./pair-scorer.ts";
import type { RerankerOptions } from "./reranker.ts";
import { reranker } from "./reranker.ts";

/** The wrappers around a text model, as for `connect`. */
export interface TextConnectOptions {
  /**
   * Maximum requests in flight; or the server's limiter, if several models share one.
   * @default 8
   */
  readonly concurrency?: number | Limiter;
  readonly retry?: RetryOptions;
  readonly ledger?: Ledger;
}

/**
 * `connect` for an embedder: the limiter is next to the client, retries surround it, the ledger
 * surrounds both, and batches are outermost, so that each is retried and counted separately.
 *
 * @example
 * const model = connectEmbedder({ baseUrl: "http://127.0.0.1:8001/v1", model: "embedder" });
 * @throws EspalierError `option-invalid`
 */
export function connectEmbedder({
  batchSize = 64,
  concurrency,
  retry,
  ledger,
  ...client
}: EmbedderOptions & TextConnectOptions): Embedder {
  const oneRequest = embedder({ ...client, batchSize: Number.POSITIVE_INFINITY });
  const wrappers = wrappersFrom({ concurrency, retry, ledger }, "embedding");
  return batchedEmbedder(aroundTextModel(oneRequest, ...wrappers), batchSize);
}

/**
 * `connect` for a reranker: limiter, retries and ledger, from the inside out.
 *
 * @throws EspalierError `option-invalid`
 */
export function connectReranker({
  concurrency,
  retry,
  ledger,
  ...client
}: RerankerOptions & TextConnectOptions): Reranker {
  const wrappers = wrappersFrom({ concurrency, retry, ledger }, "reranking");
  return aroundTextModel(reranker(client), ...wrappers);
}

/**
 * `connect` for a pair scorer: limiter, retries and ledger, from the inside out.
 *
 * @throws EspalierError `option-invalid`
 */
export function connectPairScorer({
  concurrency,
  retry,
  ledger,
  ...client
}: RerankerOptions & TextConnectOptions): PairScorer {
  const wrappers = wrappersFrom({ concurrency, retry, ledger }, "reranking");
  return aroundTextModel(pairScorer(client), ...wrappers);
}

function wrappersFrom(
  {
    concurrency = 8,
    retry,
    ledger,
  }: { readonly [Option in keyof TextConnectOptions]: TextConnectOptions[Option] | undefined },
  role: "embedding" | "reranking",
): readonly AroundCall[] {
  const shared = typeof concurrency === "number" ? limiter(concurrency) : concurrency;
  return [
    limitCalls(shared),
    retryCalls(retry),
    ...(ledger === undefined ? [] : [countCalls(ledger, role)]),
  ];
}
