import { EspalierError, messageOf } from "../../errors/index.ts";
import { withoutCredentials } from "../../internal/index.ts";
import type { ChatEnvelope } from "../chat/chat-envelope.ts";
import type { ServerInfo } from "../client/server-info.ts";
import { serverInfo } from "../client/server-info.ts";
import type { ServerOptions } from "../client/server-connection.ts";
import type { CapabilityName } from "./capability-names.ts";
import type { CacheFindings } from "./cache-trials.ts";
import { tryMetrics, tryPrefixCaching } from "./cache-trials.ts";
import {
  tryCacheSalt,
  tryContextOverflow,
  tryLogprobs,
  tryPriority,
  trySampling,
  trySeed,
  tryStreamingUsage,
} from "./field-trials.ts";
import type { JsonObject } from "../../contract/index.ts";
import { grammarTrials, tryChoice, tryJsonSchema } from "./grammar-trials.ts";
import { property } from "../client/reply-values.ts";
import type { Finding, ServerExamination } from "./server-examination.ts";
import { tryThinking } from "./thinking-trials.ts";
import { tryToolCalls } from "./tool-trials.ts";
import type { TrialServer } from "./trial-server.ts";
import {
  brief,
  byModel,
  finding,
  supported,
  trialServer,
  unknown,
  unsupported,
} from "./trial-server.ts";

export interface ExamineOptions extends ServerOptions {
  readonly model: string;
  /** What the server reported about itself, if it was asked already. */
  readonly info?: ServerInfo;
  readonly signal?: AbortSignal;
  /** Longest silence in one trial, which is then `unknown`, in milliseconds. @default 60_000 */
  readonly stallTimeoutMs?: number;
  /** Hears each finding as it comes, in the order of `capabilityNames`. @default none */
  readonly onFinding?: (name: CapabilityName, found: Finding) => void;
  /** ISO 8601. */
  readonly examinedAt: string;
}

/**
 * Runs all trials on one model of a server: about 38 requests, about 2,800 prompt tokens (most of
 * them in one long prompt sent twice) and at most a few hundred generated tokens (a few dozen
 * unless the model cannot stop thinking). Each trial checks for the effect of a field in the
 * server's behaviour. Those that make the server write little come first.
 *
 * @throws LmError if the server is unreachable, lacks the model, or sends an unreadable reply
 */
export async function examineServer({
  info,
  examinedAt,
  onFinding = () => {},
  stallTimeoutMs = 60_000,
  ...options
}: ExamineOptions): Promise<ServerExamination> {
  const { baseUrl, model } = options;
  const server = trialServer({ ...options, stallTimeoutMs });
  const said = info ?? (await serverInfo(options));
  const maxModelLength = said.models.find(({ id }) => id === model)?.maxModelLength ?? null;
  const tell: Tell = (name, found) => {
    onFinding(name, found);
    return found;
  };
  const plain = await plainReply(server);
  const chat = tell(
    "chat",
    "refusal" in plain ? unsupported(plain.refusal) : supported(answers(plain)),
  );
  const tryRoute = async (name: RouteName, trial: () => Promise<Finding>): Promise<Finding> =>
    tell(name, await finding(trial));
  const routes = {
    metrics: await tryRoute("metrics", () => tryMetrics(server)),
    tokenize: await tryRoute("tokenize", () => tryTokenize(server, model)),
    embeddings: await tryRoute("embeddings", () => tryEmbeddings(server, model)),
    rerank: await tryRoute("rerank", () => tryRerank(server, model)),
    score: await tryRoute("score", () => tryScore(server, model)),
  };
  const { maxTopLogprobs, thinkingTemplate, ...chatCapabilities } =
    "refusal" in plain
      ? withoutChat(tell)
      : await chatFindings(server, { model, maxModelLength, plain, tell });
  return {
    format: "espalier-server/1",
    baseUrl: withoutCredentials(baseUrl),
    model,
    models: said.models.map(({ id }) => id),
    version: said.version,
    maxModelLength,
    maxTopLogprobs,
    // A server that ignores unknown keys can safely receive vLLM's; one that rejects them must not
    // receive any.
    dialect: chatCapabilities.sampling.state === "unsupported" ? "openai" : "vllm",
    thinkingTemplate,
    capabilities: { chat, ...routes, ...chatCapabilities },
    spent: server.spent(),
    examinedAt,
  };
}

type Tell = (name: CapabilityName, found: Finding) => Finding;
type RouteName = "tokenize" | "embeddings" | "rerank" | "score" | "metrics";
type ChatFindings = Readonly<Record<Exclude<CapabilityName, RouteName | "chat">, Finding>> &
  Pick<ServerExamination, "maxTopLogprobs" | "thinkingTemplate">;

/** Before all else: a server that does not answer one short request needs no further ones. */
async function plainReply(
  server: TrialServer,
): Promise<ChatEnvelope | { readonly refusal: string }> {
  try {
    // Leaves room for a thought, so that its end is visible if there is one.
    return await server.chat({ max_completion_tokens: 48 });
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.kind === "infrastructure") throw error;
    return { refusal: brief(error) };
  }
}

async function chatFindings(
  server: TrialServer,
  {
    model,
    maxModelLength,
    plain,
    tell,
  }: Pick<ServerExamination, "model" | "maxModelLength"> & {
    readonly plain: ChatEnvelope;
    readonly tell: Tell;
  },
): Promise<ChatFindings> {
  const found = async (name: CapabilityName, trial: () => Promise<Finding>): Promise<Finding> =>
    tell(name, await finding(trial));
  const fields = {
    sampling: await found("sampling", () => trySampling(server)),
    priority: await found("priority", () => tryPriority(server)),
    cacheSalt: await found("cacheSalt", () => tryCacheSalt(server)),
  };
  const { template, quiet, ...thinking } = await tryThinking(server, plain);
  tell("reasoning", thinking.reasoning);
  tell("thinkingSwitch", thinking.thinkingSwitch);
  let maxTopLogprobs = 0;
  const grammar = grammarTrials(server, { model, quiet });
  const replies = {
    logprobs: await found("logprobs", async () => {
      const tried = await tryLogprobs(server, quiet);
      maxTopLogprobs = tried.most;
      return tried.finding;
    }),
    images: await found("images", () => tryImages(server, quiet)),
    streamingUsage: await found("streamingUsage", () => tryStreamingUsage(server, quiet)),
    jsonSchema: await found("jsonSchema", () => tryJsonSchema(server, quiet)),
    choice: await found("choice", () => tryChoice(server, quiet)),
    seed: await found("seed", () => trySeed(server, quiet)),
    boundedStrings: await found("boundedStrings", grammar.boundedStrings),
    compactJson: await found("compactJson", grammar.compactJson),
  };
  const tools = await tryToolCalls(server, quiet);
  for (const [name, one] of Object.entries(tools)) tell(name as CapabilityName, one);
  let cachedTokens: CacheFindings["cachedTokens"] = unknown("not seen");
  const prefixCaching = await found("prefixCaching", async () => {
    const tried = await tryPrefixCaching(server);
    cachedTokens = tried.cachedTokens;
    return tried.prefixCaching;
  });
  tell("cachedTokens", cachedTokens);
  // Last: one that takes any budget may write until it is cut off.
  const contextOverflow = await found("contextOverflow", () =>
    tryContextOverflow(server, maxModelLength, quiet),
  );
  return {
    ...fields,
    ...thinking,
    ...replies,
    ...tools,
    prefixCaching,
    cachedTokens,
    contextOverflow,
    maxTopLogprobs,
    thinkingTemplate: template,
  };
}

function answers({ usage }: ChatEnvelope): string {
  const { prompt_tokens: prompt, completion_tokens: completion } = usage ?? {};
  return typeof prompt === "number" && typeof completion === "number"
    ? `answers, ${prompt} prompt tokens`
    : "answers, but does not report tokens: neither tokens nor cost can be capped";
}

/** For example on a pooling server, which embeds or scores but does not generate. */
function withoutChat(tell: Tell): ChatFindings {
  const none = unsupported("the model does not support chat");
  const findings = {
    // Nothing speaks against it, and nothing will be sent.
    sampling: unknown("the model does not support chat"),
    priority: none,
    cacheSalt: none,
    reasoning: none,
    thinkingSwitch: none,
    logprobs: none,
    images: none,
    streamingUsage: none,
    jsonSchema: none,
    choice: none,
    seed: none,
    boundedStrings: none,
    compactJson: none,
    toolCalls: none,
    requiredToolCalls: none,
    parallelToolCalls: none,
    prefixCaching: none,
    cachedTokens: none,
    contextOverflow: none,
  };
  for (const [name, found] of Object.entries(findings)) tell(name as CapabilityName, found);
  return { ...findings, maxTopLogprobs: 0, thinkingTemplate: null };
}

/**
 * Shows a small picture. A model that sees it takes prompt tokens for it; a server that leaves it
 * out takes none, and most refuse it.
 */
async function tryImages(server: TrialServer, quiet: JsonObject): Promise<Finding> {
  const tokens = async (content: JsonObject["content"]): Promise<number | null | undefined> => {
    const messages = [{ role: "user", content: content ?? null }];
    const reply = await server.chat({ ...quiet, messages, max_completion_tokens: 1 });
    return reply.usage?.prompt_tokens;
  };
  const text = { type: "text", text: "Which colour is this?" };
  let shown;
  try {
    shown = await tokens([text, { type: "image_url", image_url: { url: redSquare } }]);
  } catch (error) {
    // In vLLM's words; others refuse pictures without a word of the model.
    if (!/not a multimodal model/i.test(messageOf(error))) throw error;
    return byModel(unsupported("the model reads only text"));
  }
  const textOnly = await tokens([text]);
  if (typeof shown !== "number" || typeof textOnly !== "number") {
    return unknown("answered, but reported no prompt tokens that would show that it saw the image");
  }
  if (shown > textOnly) return supported(`${shown - textOnly} prompt tokens for 56 by 56 pixels`);
  return shown === textOnly
    ? unsupported("ignored with status 200: it took no prompt tokens")
    : unknown(`took ${textOnly - shown} fewer prompt tokens than the text alone`);
}

/** 56 by 56 pixels: some models take none smaller than 28. */
const redSquare =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADgAAAA4CAIAAAAn5KxJAAAAQ0lEQVR42u3OQQkAAAgEsEty/aMYy4cphMECLNO+EFFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFR0bN+SnG1YZXy7gAAAABJRU5ErkJggg==";

async function tryTokenize(server: TrialServer, model: string): Promise<Finding> {
  const reply = await server.post("//tokenize", { model, prompt: "one two three" });
  const count = property(reply, "count");
  return typeof count === "number"
    ? supported(`counts ${count} tokens in three words`)
    : wrongShape();
}

async function tryEmbeddings(server: TrialServer, model: string): Promise<Finding> {
  const reply = await server.post("/embeddings", { model, input: "one", encoding_format: "float" });
  const vector = property(first(property(reply, "data")), "embedding");
  return Array.isArray(vector) ? supported(`vectors of ${vector.length} numbers`) : wrongShape();
}

async function tryRerank(server: TrialServer, model: string): Promise<Finding> {
  const reply = await server.post("/rerank", { model, ...pair("query", "documents") });
  const score = property(first(property(reply, "results")), "relevance_score");
  return typeof score === "number" ? supported("orders two documents") : wrongShape();
}

async function tryScore(server: TrialServer, model: string): Promise<Finding> {
  const reply = await server.post("//score", { model, ...pair("text_1", "text_2") });
  const score = property(first(property(reply, "data")), "score");
  return typeof score === "number" ? supported("scores two pairs") : wrongShape();
}

const pair = (one: string, many: string): JsonObject => ({
  [one]: "A river in France",
  [many]: ["The Loire.", "A loom."],
});

const first = (list: unknown): unknown => (Array.isArray(list) ? (list[0] as unknown) : undefined);

const wrongShape = (): Finding => unsupported("status 200, but not the expected reply");
