/**
 * Language models behind an HTTP API, and what can be wrapped around any language model: cache,
 * retries, limit, ledger, recording; the same for embedders, rerankers and pair scorers, without
 * cache and recording. The client knows none of the wrappers, they do not know each
 * other, and only `connect` knows in which order they make sense. Nothing here knows what a
 * request is for: prompts and the reading of replies belong to programs.
 */
export { defaultSampling } from "../contract/index.ts";
export type { Ledger, LedgerCounts, LedgerEntry, LedgerSnapshot } from "../ledger/index.ts";
export { ledger } from "../ledger/index.ts";
export { batchedEmbedder } from "./batched-embedder.ts";
export { cached } from "./cached.ts";
export type { CallKey } from "./call-key.ts";
export { callKeys } from "./call-key.ts";
export type { Connection, ConnectOptions } from "./connect.ts";
export { connect } from "./connect.ts";
export type { TextConnectOptions } from "./connect-text-models.ts";
export { connectEmbedder, connectPairScorer, connectReranker } from "./connect-text-models.ts";
export type { TokenizerOptions } from "./connect-tokenizer.ts";
export { connectTokenizer } from "./connect-tokenizer.ts";
export type { DiskCache } from "./disk-cache.ts";
export { diskCache } from "./disk-cache.ts";
export type { CapabilityName, ExamineOptions, Finding, ServerExamination } from "./doctor/index.ts";
export {
  capabilityNames,
  examineServer,
  keepExamination,
  keptExamination,
  keptExaminations,
} from "./doctor/index.ts";
export type { EmbedderOptions } from "./embedder.ts";
export { embedder } from "./embedder.ts";
export { estimatingTokenizer } from "./estimating-tokenizer.ts";
export type { Fetch } from "./http-fetch.ts";
export { ledgered } from "./ledgered.ts";
export { named } from "./named.ts";
export { ledgeredEmbedder, ledgeredPairScorer, ledgeredReranker } from "./ledgered-text-models.ts";
export type { Limiter } from "./limited.ts";
export { limited, limiter } from "./limited.ts";
export { limitedEmbedder, limitedPairScorer, limitedReranker } from "./limited-text-models.ts";
export type { OpenAiCompatibleOptions } from "./openai-compatible.ts";
export { openAiCompatible } from "./openai-compatible.ts";
export { pairScorer } from "./pair-scorer.ts";
export { recorded } from "./recorded.ts";
export type { ReplayOptions } from "./replayed.ts";
export { replayed } from "./replayed.ts";
export type { ReplyCache } from "./reply-cache.ts";
export type { Replica, ReplicaOptions } from "./replicas.ts";
export { replicas } from "./replicas.ts";
export type { RerankerOptions } from "./reranker.ts";
export { reranker } from "./reranker.ts";
export { retried } from "./retried.ts";
export { retriedEmbedder, retriedPairScorer, retriedReranker } from "./retried-text-models.ts";
export type { RetryOptions } from "./retry.ts";
export type { ServerOptions } from "./server-connection.ts";
export type { ServedModel, ServerInfo, ServerInfoOptions } from "./server-info.ts";
export { serverInfo } from "./server-info.ts";
export type { ThinkingTemplate } from "./thinking-template.ts";
export { thinkingTemplates } from "./thinking-template.ts";
export type { WarmedOptions } from "./warmed.ts";
export { warmed } from "./warmed.ts";
