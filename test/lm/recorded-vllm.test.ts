import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LanguageModel, LmReply } from "espalier";
import {
  connectEmbedder,
  connectPairScorer,
  connectReranker,
  defaultSampling,
  openAiCompatible,
  serverInfo,
} from "espalier/lm";
import { expect, test } from "vitest";
import { thrownBy } from "../support/thrown-by.ts";
import type { VllmServer } from "../support/vllm-server.ts";
import { raw, vllmServer } from "../support/vllm-server.ts";

interface Recorded {
  readonly request: { readonly path: string };
  readonly response: {
    readonly status: number;
    readonly contentType: string;
    readonly body?: unknown;
    readonly text?: string;
  };
}

/** A server that answers what `npm run record:vllm` heard from vLLM. */
async function serverThatAnswers(...names: readonly string[]): Promise<VllmServer> {
  const server = await vllmServer();
  for (const name of names) {
    const file = join(import.meta.dirname, `../support/recorded-vllm/${name}.json`);
    const { request, response } = JSON.parse(readFileSync(file, "utf8")) as Recorded;
    const text = response.text ?? JSON.stringify(response.body);
    server.always(request.path, raw(text, response.contentType, response.status));
  }
  return server;
}

const lmAt = ({ baseUrl }: VllmServer): LanguageModel =>
  openAiCompatible({ baseUrl, model: "tiny-qwen3" });

const request = {
  messages: [{ role: "user", content: "What is a lighthouse?" }],
  sampling: defaultSampling,
  seed: 0,
} as const;

async function replyOf(name: string, topLogprobs?: number): Promise<LmReply> {
  await using server = await serverThatAnswers(name);
  const isStreamed = name.endsWith("-streamed");
  return await lmAt(server).doGenerate(
    { ...request, ...(topLogprobs !== undefined && { topLogprobs }) },
    isStreamed ? { onDelta: () => undefined } : {},
  );
}

const ends = "</think>";

test.for(["chat", "chat-logprobs", "thinking"])(
  "%s reads the same from a stream as from a whole reply",
  async (name) => {
    const topLogprobs = name === "chat-logprobs" ? 3 : undefined;
    const whole = await replyOf(name === "chat-logprobs" ? name : `${name}-whole`, topLogprobs);
    const streamed = await replyOf(`${name}-streamed`, topLogprobs);
    expect(whole.content).toMatch(/\S/);
    // The tiny model ends a thought several times; vLLM shows the further ends only in a stream.
    const shown = ({ content }: LmReply): string | undefined => content?.replaceAll(ends, "");
    expect({ ...streamed, content: shown(streamed) }).toEqual({
      ...whole,
      content: shown(whole),
      latencyMs: expect.any(Number),
    });
  },
);

test("thoughts, their tokens and cached tokens are read", async () => {
  const { reasoning, usage } = await replyOf("thinking-whole");
  expect(reasoning).toBe("No>");
  expect(usage.reasoningTokens).toBeGreaterThan(0);
  expect((await replyOf("thinking-cut-off")).content).toBeNull();
  expect((await replyOf("cached-prompt")).usage.cachedPromptTokens).toBe(256);
});

test.for([
  ["prompt-beyond-context", "lm-context-overflow"],
  ["prompt-beyond-context-streamed", "lm-context-overflow"],
  ["budget-beyond-context", "lm-context-overflow"],
  ["pattern-word-boundary", "lm-request-refused"],
  ["pattern-unicode-class", "lm-server-error"],
  ["unknown-model", "lm-not-found"],
  ["without-key", "lm-unauthorized"],
] as const)("%s is %s", async ([name, code]) => {
  expect((await thrownBy(() => replyOf(name))).code).toBe(code);
});

test("vLLM's models and version are read", async () => {
  await using server = await serverThatAnswers("models-with-lora", "version");
  const { models, version } = await serverInfo({ baseUrl: server.baseUrl });
  expect(models.map(({ id }) => id)).toEqual(["tiny-qwen3", "tiny-lora"]);
  expect({ context: models[0]?.maxModelLength, version }).toEqual({
    context: 16_384,
    version: "0.32.0",
  });
});

test("vectors are the same in both encodings", async () => {
  const vectorsIn = async (encoding: "base64" | "float") => {
    await using server = await serverThatAnswers(`embeddings-${encoding}`);
    const options = { baseUrl: server.baseUrl, model: "tiny-embedder", encoding };
    return (await connectEmbedder(options).doEmbed(["one", "two"])).vectors;
  };
  const vectors = await vectorsIn("base64");
  expect(vectors.map(({ length }) => length)).toEqual([96, 96]);
  expect(await vectorsIn("float")).toEqual(vectors);
});

test("a reranker orders by the scores that a pair scorer reads", async () => {
  await using server = await serverThatAnswers("rerank", "score");
  const options = { baseUrl: server.baseUrl, model: "tiny-reranker" };
  const asked = { query: "Where?", documents: ["one", "two"] };
  const { scores } = await connectPairScorer(options).doScore(asked);
  const { results } = await connectReranker(options).doRerank(asked);
  expect(results).toEqual([
    { index: 1, score: scores[1] },
    { index: 0, score: scores[0] },
  ]);
});
