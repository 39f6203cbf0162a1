import { EspalierError } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { ChatEnvelope } from "../chat/chat-envelope.ts";
import type { ServerInfo } from "../client/server-info.ts";
import { serverInfo } from "../client/server-info.ts";
import type { ServerOptions } from "../client/server-connection.ts";
import type { CapabilityName } from "./capability-names.ts";
import { tryMetrics, tryPrefixCaching } from "./cache-trials.ts";
import type { CacheFindings } from "./cache-trials.ts";
import { tryChoice, tryJsonSchema } from "./constraint-trials.ts";
import { tryCacheSalt, tryContextOverflow, tryPriority, trySampling } from "./field-trials.ts";
import { tryImages } from "./image-trial.ts";
import { grammarTrials } from "./grammar-trials.ts";
import { tryLogprobs, trySeed, tryStreamingUsage } from "./reply-trials.ts";
import { tryEmbeddings, tryRerank, tryScore, tryTokenize } from "./route-trials.ts";
import type { Finding, ServerExamination } from "./server-examination.ts";
import { tryThinking } from "./thinking-trials.ts";
import { tryToolCalls } from "./tool-trials.ts";
import type { TrialServer } from "./trial-server.ts";
import { brief, finding, supported, trialServer, unknown, unsupported } from "./trial-server.ts";

export interface ExamineOptions extends ServerOptions {
  readonly model: string;
  /** What the server reported about itself, if it was asked already. */
  readonly info?: ServerInfo;
  readonly signal?: AbortSignal;
  /** ISO 8601. */
  readonly examinedAt: string;
}

/**
 * Runs all trials on one model of a server: about 38 requests, about 2,800 prompt tokens (most of
 * them in one long prompt sent twice) and at most a few hundred generated tokens (a few dozen
 * unless the model cannot stop thinking). Each trial checks for the effect of a field in the
 * server's behaviour.
 *
 * @throws LmError if the server is unreachable, lacks the model, or answers something unreadable
 */
export async function examineServer({
  info,
  examinedAt,
  stallTimeoutMs = 60_000,
  ...options
}: ExamineOptions): Promise<ServerExamination> {
  const { baseUrl, model } = options;
  const server = trialServer({ ...options, stallTimeoutMs });
  const said = info ?? (await serverInfo(options));
  const maxModelLength = said.models.find(({ id }) => id === model)?.maxModelLength ?? null;
  const chat = await chatFindings(server, { model, maxModelLength });
  const routes = {
    tokenize: await finding(() => tryTokenize(server, model)),
    embeddings: await finding(() => tryEmbeddings(server, model)),
    rerank: await finding(() => tryRerank(server, model)),
    score: await finding(() => tryScore(server, model)),
    metrics: await finding(() => tryMetrics(server)),
  };
  const { mostTopLogprobs, thinkingTemplate, ...chatCapabilities } = chat;
  return {
    format: "espalier-server/1",
    baseUrl: withoutCredentials(baseUrl),
    model,
    models: said.models.map(({ id }) => id),
    version: said.version,
    maxModelLength,
    mostTopLogprobs,
    // A server that ignores unknown keys can safely receive vLLM's; one that rejects them must not
    // receive any.
    dialect: chat.sampling.state === "unsupported" ? "openai" : "vllm",
    thinkingTemplate,
    capabilities: { ...chatCapabilities, ...routes },
    spent: server.spent(),
    examinedAt,
  };
}

type RouteName = "tokenize" | "embeddings" | "rerank" | "score" | "metrics";
type ChatFindings = Readonly<Record<Exclude<CapabilityName, RouteName>, Finding>> &
  Pick<ServerExamination, "mostTopLogprobs" | "thinkingTemplate">;

async function chatFindings(
  server: TrialServer,
  { model, maxModelLength }: Pick<ServerExamination, "model" | "maxModelLength">,
): Promise<ChatFindings> {
  let plain;
  try {
    // Leaves room for a thought, so that its end is visible if there is one.
    plain = await server.chat({ max_completion_tokens: 48 });
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.kind === "infrastructure") throw error;
    return withoutChat(brief(error));
  }
  const { template, quiet, ...thinking } = await tryThinking(server, plain);
  let mostTopLogprobs = 0;
  const logprobs = await finding(async () => {
    const tried = await tryLogprobs(server, quiet);
    mostTopLogprobs = tried.most;
    return tried.finding;
  });
  let cache: Pick<CacheFindings, "cachedTokens"> = { cachedTokens: unknown("not seen") };
  const prefixCaching = await finding(async () => {
    const { prefixCaching: found, ...others } = await tryPrefixCaching(server);
    cache = others;
    return found;
  });
  const grammar = grammarTrials(server, { model, quiet });
  return {
    chat: supported(answers(plain)),
    sampling: await finding(() => trySampling(server)),
    ...thinking,
    jsonSchema: await finding(() => tryJsonSchema(server, quiet)),
    choice: await finding(() => tryChoice(server, quiet)),
    boundedStrings: await finding(grammar.boundedStrings),
    compactJson: await finding(grammar.compactJson),
    images: await finding(() => tryImages(server, quiet)),
    logprobs,
    seed: await finding(() => trySeed(server, quiet)),
    streamingUsage: await finding(() => tryStreamingUsage(server, quiet)),
    ...(await tryToolCalls(server, quiet)),
    prefixCaching,
    ...cache,
    contextOverflow: await finding(() => tryContextOverflow(server, maxModelLength, quiet)),
    priority: await finding(() => tryPriority(server)),
    cacheSalt: await finding(() => tryCacheSalt(server)),
    mostTopLogprobs,
    thinkingTemplate: template,
  };
}

function answers({ usage }: ChatEnvelope): string {
  const { prompt_tokens: prompt, completion_tokens: completion } = usage ?? {};
  return typeof prompt === "number" && typeof completion === "number"
    ? `answers, ${prompt} prompt tokens`
    : "answers, but does not report tokens: they cannot be capped, nor can money";
}

/** For example on a pooling server, which embeds or scores but does not generate. */
function withoutChat(refusal: string): ChatFindings {
  const none = unsupported("the model does not support chat");
  return {
    chat: unsupported(refusal),
    // Nothing speaks against it, and nothing will be sent.
    sampling: unknown("the model does not support chat"),
    reasoning: none,
    thinkingSwitch: none,
    jsonSchema: none,
    choice: none,
    boundedStrings: none,
    compactJson: none,
    images: none,
    logprobs: none,
    seed: none,
    streamingUsage: none,
    toolCalls: none,
    requiredToolCalls: none,
    parallelToolCalls: none,
    prefixCaching: none,
    cachedTokens: none,
    contextOverflow: none,
    priority: none,
    cacheSalt: none,
    mostTopLogprobs: 0,
    thinkingTemplate: null,
  };
}
