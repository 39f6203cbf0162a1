import type { Embedder, PairScorer, Reranker } from "../../contract/index.ts";
import { batchedEmbedder } from "./batched-embedder.ts";
import type { EmbedderOptions } from "./embedder.ts";
import { embedder } from "./embedder.ts";
import type { Ledger } from "../../ledger/index.ts";
import { ledgeredEmbedder, ledgeredPairScorer, ledgeredReranker } from "./ledgered-text-models.ts";
import type { Limiter } from "../wrappers/limited.ts";
import { limiter } from "../wrappers/limited.ts";
import { limitedEmbedder, limitedPairScorer, limitedReranker } from "./limited-text-models.ts";
import { pairScorer } from "./pair-scorer.ts";
import type { RerankerOptions } from "./reranker.ts";
import { reranker } from "./reranker.ts";
import { retriedEmbedder, retriedPairScorer, retriedReranker } from "./retried-text-models.ts";
import type { RetryOptions } from "../wrappers/retry.ts";

/** What stands around a text model; as for `connect`. */
export interface TextConnectOptions {
  /** Requests in flight at most; or the limiter of the server, where several models share one. @default 8 */
  readonly concurrency?: number | Limiter;
  readonly retry?: RetryOptions;
  readonly ledger?: Ledger;
}

/**
 * `connect` for an embedder: the limiter next to the client, retries around it, the ledger around
 * these, and batches outermost, so that each is asked again, and counted, by itself.
 *
 * @example
 * const model = connectEmbedder({ baseUrl: "http://127.0.0.1:8001/v1", model: "embedder" });
 */
export function connectEmbedder({
  batchSize = 64,
  concurrency,
  retry,
  ledger,
  ...client
}: EmbedderOptions & TextConnectOptions): Embedder {
  const oneRequest = embedder({ ...client, batchSize: Number.POSITIVE_INFINITY });
  const asked = retriedEmbedder(limitedEmbedder(oneRequest, slotsOf(concurrency)), retry);
  return batchedEmbedder(ledger ? ledgeredEmbedder(asked, ledger) : asked, batchSize);
}

/** `connect` for a reranker: limiter, retries and ledger, from the inside. */
export function connectReranker({
  concurrency,
  retry,
  ledger,
  ...client
}: RerankerOptions & TextConnectOptions): Reranker {
  const asked = retriedReranker(limitedReranker(reranker(client), slotsOf(concurrency)), retry);
  return ledger ? ledgeredReranker(asked, ledger) : asked;
}

/** `connect` for a pair scorer: limiter, retries and ledger, from the inside. */
export function connectPairScorer({
  concurrency,
  retry,
  ledger,
  ...client
}: RerankerOptions & TextConnectOptions): PairScorer {
  const slots = slotsOf(concurrency);
  const asked = retriedPairScorer(limitedPairScorer(pairScorer(client), slots), retry);
  return ledger ? ledgeredPairScorer(asked, ledger) : asked;
}

function slotsOf(concurrency: number | Limiter = 8): Limiter {
  return typeof concurrency === "number" ? limiter(concurrency) : concurrency;
}
