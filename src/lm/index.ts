/**
 * Language models behind an HTTP API, and wrappers for any language model: cache, retries, limit,
 * ledger. Embedders, rerankers and pair scorers have the same wrappers except the cache. The client
 * knows none of the wrappers, they do not know each other, and only `connect` knows their order.
 * Nothing here knows what a request is for: programs build prompts and read replies.
 */
export { defaultSampling } from "../contract/index.ts";
export type { Ledger, LedgerCounts, LedgerEntry, LedgerSnapshot } from "../ledger/index.ts";
export { ledger } from "../ledger/index.ts";
export type { AroundCall } from "./text-models/around-text-model.ts";
export {
  aroundTextModel,
  countCalls,
  limitCalls,
  retryCalls,
} from "./text-models/around-text-model.ts";
export { batchedEmbedder } from "./text-models/batched-embedder.ts";
export { cached, callKeys } from "./wrappers/cached.ts";
export { remoteCall } from "./wrappers/remote-call.ts";
export type { CallKey } from "./wrappers/cached.ts";
export type { Connection, ConnectOptions, WrapperOptions } from "./connect.ts";
export { connect, wrapped } from "./connect.ts";
export type { TextConnectOptions } from "./text-models/connect-text-models.ts";
export {
  connectEmbedder,
  connectPairScorer,
  connectReranker,
} from "./text-models/connect-text-models.ts";
export type { TokenizerOptions } from "./text-models/connect-tokenizer.ts";
export { connectTokenizer } from "./text-models/connect-tokenizer.ts";
export type { DiskCache } from "./wrappers/disk-cache.ts";
export { diskCache } from "./wrappers/disk-cache.ts";
export type {
  CapabilityName,
  ExamineOptions,
  Finding,
  RecommendedOption,
  ServerExamination,
} from "./doctor/index.ts";
export {
  agentCalls,
  capabilityNames,
  examineServer,
  keepExamination,
  keptExamination,
  keptExaminations,
  recommendedOptions,
} from "./doctor/index.ts";
export type { EmbedderOptions } from "./text-models/embedder.ts";
export { embedder } from "./text-models/embedder.ts";
export { estimatingTokenizer } from "./text-models/estimating-tokenizer.ts";
export type { Fetch } from "./client/sdk-client.ts";
export { withLedger } from "./wrappers/with-ledger.ts";
export { named } from "./wrappers/named.ts";
export type { Limiter } from "./wrappers/with-limit.ts";
export { withLimit, limiter } from "./wrappers/with-limit.ts";
export type { OpenAiCompatibleOptions } from "./chat/openai-compatible.ts";
export { openAiCompatible } from "./chat/openai-compatible.ts";
export { withoutSystem } from "./chat/chat-request.ts";
export { pairScorer } from "./text-models/pair-scorer.ts";
export type { ReplyCache } from "./wrappers/reply-cache.ts";
export type { Membership, ReplicaOptions } from "./replicas/replicas.ts";
export { replicas } from "./replicas/replicas.ts";
export type { Lookup, ServerList } from "./replicas/server-list.ts";
export { serverList } from "./replicas/server-list.ts";
export type { Replica, ReplicaChange } from "./replicas/server-pool.ts";
export type { RerankerOptions } from "./text-models/reranker.ts";
export { reranker } from "./text-models/reranker.ts";
export { withRetry } from "./wrappers/retry.ts";
export type { RetryOptions, RetryWait } from "./wrappers/retry.ts";
export type { ServerOptions } from "./client/server-connection.ts";
export type { ServedModel, ServerInfo, ServerInfoOptions } from "./client/server-info.ts";
export { serverInfo } from "./client/server-info.ts";
export type { ThinkingTemplate } from "./chat/thinking-template.ts";
export { thinkingTemplates } from "./chat/thinking-template.ts";
