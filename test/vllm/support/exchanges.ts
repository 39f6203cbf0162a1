import type { ServerName, VllmAddress } from "./server-kinds.ts";
import { serverKinds } from "./server-kinds.ts";

/** A request to record. `path` begins below the server's root. */
export interface Exchange {
  readonly server: ServerName;
  readonly path: string;
  /** Absent: a GET. */
  readonly body?: object;
  /** Sends no key to the server that asks for one. */
  readonly isWithoutKey?: true;
  /** Sends it once before. */
  readonly isRepeated?: true;
  /** Keeps the metrics of these names alone. */
  readonly metrics?: readonly string[];
}

const chatPath = "/v1/chat/completions";
const streamed = { stream: true, stream_options: { include_usage: true } };
const logprobs = { logprobs: true, top_logprobs: 3, max_completion_tokens: 3 };
const query = "Where is the lighthouse?";
const documents = ["A lighthouse stands on the rock.", "Trains run on time."];
const tooLong = "word ".repeat(2000);

const keptMetrics = [
  "num_requests_running",
  "num_requests_waiting",
  "kv_cache_usage_perc",
  "prefix_cache_queries_total",
  "prefix_cache_hits_total",
  "prompt_tokens_total",
  "generation_tokens_total",
  "request_success_total",
];

function chat(server: ServerName, more: object, question = "What is a lighthouse?"): Exchange {
  const { model } = serverKinds[server];
  const messages = [{ role: "user", content: question }];
  return {
    server,
    path: chatPath,
    body: {
      model,
      messages,
      temperature: 0,
      seed: 0,
      max_completion_tokens: 12,
      chat_template_kwargs: { enable_thinking: false },
      ...more,
    },
  };
}

function pooled(server: "embedder" | "reranker", path: string, more: object): Exchange {
  return { server, path, body: { model: serverKinds[server].model, ...more } };
}

/** What the model soon has thought about. */
const thoughtful = "How far is the sea?";
const thinking = { chat_template_kwargs: { enable_thinking: true }, max_completion_tokens: 400 };

function schema(field: object): object {
  const shape = { type: "object", properties: { field }, required: ["field"] };
  const json = { name: "reply", schema: { ...shape, additionalProperties: false }, strict: true };
  return { max_completion_tokens: 40, response_format: { type: "json_schema", json_schema: json } };
}

/** What is recorded, by the name of the file; servers in the order in which they start. */
export async function exchanges(
  address: (name: ServerName) => Promise<VllmAddress>,
): Promise<Readonly<Record<string, Exchange>>> {
  const full = await filling(await address("chat"));
  return {
    version: { server: "chat", path: "/version" },
    models: { server: "chat", path: "/v1/models" },
    "chat-whole": chat("chat", {}),
    "chat-streamed": chat("chat", streamed),
    "chat-logprobs": chat("chat", logprobs),
    "chat-logprobs-streamed": chat("chat", { ...logprobs, ...streamed }),
    "chat-json-schema": chat("chat", schema({ type: "string", enum: ["one", "two"] })),
    tokenize: {
      server: "chat",
      path: "/tokenize",
      body: { model: serverKinds.chat.model, prompt: "one two three", add_special_tokens: false },
    },
    "prompt-beyond-context": chat("chat", {}, `${full} word word`),
    "prompt-beyond-context-streamed": chat("chat", streamed, `${full} word word`),
    "prompt-fills-context": chat("chat", {}, full),
    "budget-beyond-context": chat("chat", { max_completion_tokens: 10_000 }),
    "pattern-word-boundary": chat("chat", schema({ type: "string", pattern: "\\bfoo\\b" })),
    "pattern-unicode-class": chat("chat", schema({ type: "string", pattern: "^\\p{L}+$" })),
    "unknown-model": chat("chat", { model: "nobody" }),
    "unknown-route": { server: "chat", path: "/v1/embeddings", body: { input: "x" } },
    metrics: {
      server: "chat",
      path: "/metrics",
      metrics: keptMetrics,
    },
    "models-with-lora": { server: "guidance", path: "/v1/models" },
    "thinking-whole": chat("guidance", thinking, thoughtful),
    "thinking-streamed": chat("guidance", { ...thinking, ...streamed }, thoughtful),
    "thinking-cut-off": chat("guidance", { ...thinking, max_completion_tokens: 3 }),
    "lora-whole": chat("guidance", { model: "tiny-lora" }),
    "cached-prompt": {
      ...chat("guidance", { max_completion_tokens: 1 }, "A mill. ".repeat(100)),
      isRepeated: true,
    },
    "without-key": { ...chat("guidance", {}), isWithoutKey: true },
    "pattern-word-boundary-guidance": chat(
      "guidance",
      schema({ type: "string", pattern: "\\bfoo\\b" }),
    ),
    "embeddings-float": pooled("embedder", "/v1/embeddings", {
      input: documents,
      encoding_format: "float",
    }),
    "embeddings-base64": pooled("embedder", "/v1/embeddings", {
      input: documents,
      encoding_format: "base64",
    }),
    "embeddings-too-long": pooled("embedder", "/v1/embeddings", { input: [tooLong] }),
    "embeddings-truncated": pooled("embedder", "/v1/embeddings", {
      input: [tooLong],
      truncate_prompt_tokens: 512,
      encoding_format: "base64",
    }),
    rerank: pooled("reranker", "/v1/rerank", { query, documents }),
    score: pooled("reranker", "/v1/score", { text_1: query, text_2: documents }),
    "rerank-too-long": pooled("reranker", "/v1/rerank", { query, documents: [tooLong] }),
    "rerank-truncated": pooled("reranker", "/v1/rerank", {
      query,
      documents: [tooLong],
      truncate_prompt_tokens: 512,
    }),
  };
}

/** A question that fills the context to the last token. */
async function filling({ root, model }: VllmAddress): Promise<string> {
  const countOf = async (content: string): Promise<{ count: number; max_model_len: number }> => {
    const body = {
      model,
      messages: [{ role: "user", content }],
      chat_template_kwargs: { enable_thinking: false },
    };
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${root}/tokenize`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return (await response.json()) as { count: number; max_model_len: number };
  };
  const { count, max_model_len: context } = await countOf("x");
  const full = `x${" word".repeat(context - count)}`;
  if ((await countOf(full)).count !== context) throw new Error("The words are not a token each.");
  return full;
}
