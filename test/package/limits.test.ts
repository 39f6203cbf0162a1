import type { Embedder, LanguageModel, PairScorer } from "espalier";
import { compare, evaluate } from "espalier/evaluate";
import {
  batchedEmbedder,
  connect,
  connectEmbedder,
  connectPairScorer,
  connectReranker,
  connectTokenizer,
  embedder,
  examineServer,
  limiter,
  openAiCompatible,
  pairScorer,
  replicas,
  reranker,
  withRetry,
  serverInfo,
  retryCalls,
} from "espalier/lm";
import { denseIndex, httpSearch, hybrid, pairReranker, yesNoReranker } from "espalier/retrieval";
import type { Limit } from "./describe-limits.ts";
import { describeLimits } from "./describe-limits.ts";

const server = { baseUrl: "http://127.0.0.1:1/v1", model: "m" };
const lm: LanguageModel = {
  identity: { provider: "p", model: "m" },
  doGenerate: () => Promise.reject(new Error("not to be asked")),
};
const anyEmbedder: Embedder = {
  identity: lm.identity,
  doEmbed: () => Promise.reject(new Error("not to be asked")),
};
const scorer: PairScorer = {
  identity: lm.identity,
  doScore: () => Promise.reject(new Error("not to be asked")),
};
const replica = { name: "one", lm, isHealthy: async () => true };
const corpus = [{ id: "a", text: "A river." }];
const url = "http://127.0.0.1:1/search";
const search = httpSearch({ url });
const evaluation = { program: {}, examples: [], metric: {}, lm } as never as Parameters<
  typeof evaluate
>[0];
const examined = { ...server, examinedAt: "2026-11-22T00:00:00Z" };

const connectors = {
  connect,
  connectEmbedder,
  connectPairScorer,
  connectReranker,
  connectTokenizer,
};
const clients = { openAiCompatible, embedder, reranker, pairScorer };
const retries = ["patienceMs", "attempts", "baseDelayMs", "maxDelayMs", "maxRetryAfterMs"] as const;
const evaluations = ["concurrency", "repetitions", "firstRepetition", "faultRetries", "resamples"];
const dense = ["batchSize", "concurrency", "maxCharacters", "keptQueries"];
const searches = ["timeoutMs", "maxReplyBytes", "attempts", "baseDelayMs", "maxQueryCharacters"];

const limits: readonly Limit[] = [
  ["limiter", "concurrency", (value) => limiter(value)],
  ...Object.entries(connectors).flatMap(([name, make]): Limit[] => [
    [name, "concurrency", (value) => make({ ...server, concurrency: value })],
    [name, "stallTimeoutMs", (value) => make({ ...server, stallTimeoutMs: value })],
    [name, "maxReplyBytes", (value) => make({ ...server, maxReplyBytes: value })],
    [name, "attempts", (value) => make({ ...server, retry: { attempts: value } })],
  ]),
  ...Object.entries(clients).flatMap(([name, make]): Limit[] => [
    [name, "stallTimeoutMs", (value) => make({ ...server, stallTimeoutMs: value })],
    [name, "maxReplyBytes", (value) => make({ ...server, maxReplyBytes: value })],
  ]),
  ...retries.flatMap((option): Limit[] => [
    ["withRetry", option, (value) => withRetry(lm, { [option]: value })],
    ["retryCalls", option, (value) => retryCalls({ [option]: value })],
  ]),
  ["serverInfo", "stallTimeoutMs", (value) => serverInfo({ ...server, stallTimeoutMs: value })],
  [
    "examineServer",
    "stallTimeoutMs",
    (value) => examineServer({ ...examined, stallTimeoutMs: value }),
  ],
  ["connectTokenizer", "keptCounts", (value) => connectTokenizer({ ...server, keptCounts: value })],
  ["batchedEmbedder", "batchSize", (value) => batchedEmbedder(anyEmbedder, value)],
  ["embedder", "batchSize", (value) => embedder({ ...server, batchSize: value })],
  ...["spillFactor", "spillFloor", "firstPauseMs"].map((option): Limit => [
    "replicas",
    option,
    (value) => replicas([replica], { [option]: value }),
  ]),
  ...evaluations.map((option): Limit => [
    "evaluate",
    option,
    (value) => evaluate({ ...evaluation, [option]: value }),
  ]),
  ["compare", "resamples", (value) => compare({} as never, {} as never, { resamples: value })],
  ...dense.map((option): Limit => [
    "denseIndex",
    option,
    (value) => denseIndex({ corpus, embedder: anyEmbedder, [option]: value }),
  ]),
  ...searches.map((option): Limit => [
    "httpSearch",
    option,
    (value) => httpSearch({ url, [option]: value }),
  ]),
  ["hybrid", "depth", (value) => hybrid({ retrievers: [search, search], depth: value })],
  [
    "pairReranker",
    "batchSize",
    (value) => pairReranker({ model: scorer, batchSize: value } as never),
  ],
  ["yesNoReranker", "maxCharacters", (value) => yesNoReranker({ lm, maxCharacters: value })],
  ["yesNoReranker", "topLogprobs", (value) => yesNoReranker({ lm, topLogprobs: value })],
];

/** Off, or at once. */
const mayBeZero = new Set([
  "baseDelayMs",
  "patienceMs",
  "maxDelayMs",
  "maxRetryAfterMs",
  "firstPauseMs",
  "keptCounts",
  "keptQueries",
  "firstRepetition",
  "faultRetries",
  "resamples",
]);
/** Times, and the factor: 1.5 of them is a value like any other. */
const mayBeFractions = /Ms$|^spillFactor$/;

describeLimits(limits, { mayBeZero, mayBeFractions, areTimers: /^(stallTimeoutMs|timeoutMs)$/ });
