import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenAICompatible as createOfV2 } from "ai-sdk-v2";
import { createOpenAICompatible as createOfV3 } from "ai-sdk-v3";
import type { LanguageModel, LmRequest } from "../../../src/index.ts";
import { predict, program, signature, text } from "../../../src/index.ts";
import { fromAiSdk } from "../src/index.ts";
import {
  connect,
  defaultSampling,
  diskCache,
  cached,
  withLedger,
  withRetry,
} from "../../../src/lm/index.ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ledger } from "../../../src/ledger/index.ts";
import { contractAnswer, languageModelContract } from "../../../test/lm/language-model.contract.ts";
import { picturesOnWire } from "../../../test/support/chat-wire.ts";
import { dataUrl, plainPng } from "../../../test/support/png.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { VllmServer } from "../../../test/support/vllm-server.ts";
import {
  chat,
  chatPath,
  json,
  raw,
  refuse,
  reset,
  stall,
  vllmServer,
} from "../../../test/support/vllm-server.ts";

const named = (baseURL: string) => ({ name: "local", baseURL, includeUsage: true }) as const;
const constrained = { supportsStructuredOutputs: true } as const;
const model = "test-model";

/** One real provider for each version of the interface, and OpenAI's own. */
const providers: Readonly<Record<string, (baseUrl: string) => LanguageModel>> = {
  "openai-compatible of AI SDK 5 (v2)": (url) =>
    fromAiSdk(createOfV2({ ...named(url), ...constrained })(model)),
  "openai-compatible of AI SDK 6 (v3)": (url) =>
    fromAiSdk(createOfV3({ ...named(url), ...constrained })(model)),
  "openai-compatible (v4)": (url) =>
    fromAiSdk(createOpenAICompatible({ ...named(url), ...constrained })(model)),
  "openai (v4)": (url) => fromAiSdk(createOpenAI({ baseURL: url, apiKey: "none" }).chat(model)),
};

const request: LmRequest = {
  messages: [{ role: "user", content: "hi" }],
  sampling: { ...defaultSampling, temperature: 0.5, topP: 0.9, maxCompletionTokens: 33 },
  seed: 7,
};

const schema = {
  type: "object",
  properties: { answer: { type: "string" } },
  required: ["answer"],
  additionalProperties: false,
} as const;

describe.each(Object.entries(providers))("%s", (name, open) => {
  languageModelContract(
    name,
    async () => {
      const server = await vllmServer();
      server.always(chatPath, contractAnswer);
      return {
        lm: open(server.baseUrl),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
    {
      logprobs: "the interface has none, so the wish is refused",
      ...(name.startsWith("openai (") && { exhausted: "OpenAI's chat has no reasoning to read" }),
    },
  );

  it("sends sampling, seed and schema, and no default of its own", async () => {
    await using server = await vllmServer();
    await open(server.baseUrl).doGenerate({
      ...request,
      sampling: { ...request.sampling, stop: ["END"] },
      responseSchema: { name: "reply", schema },
    });
    const [{ body } = { body: undefined }] = server.requests;
    expect(body).toMatchObject({
      model,
      messages: [{ role: "user", content: "hi" }],
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 33,
      stop: ["END"],
      seed: 7,
      response_format: { type: "json_schema", json_schema: { name: "reply", schema } },
    });
  });

  it("sends pictures as OpenAI's API documents them, data and addresses", async () => {
    await using server = await vllmServer();
    const data = dataUrl(plainPng([200, 0, 0]));
    const address = "https://example.org/sign.png?a=b";
    const parts = [
      { type: "text", text: "What is this?" },
      { type: "image", url: data },
      { type: "text", text: "And this?" },
      { type: "image", url: address },
    ] as const;
    await open(server.baseUrl).doGenerate({
      ...request,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: parts },
        { role: "assistant", content: "A sign." },
        { role: "user", content: "Sure?" },
      ],
    });
    const { messages } = server.requests[0]?.body ?? {};
    expect(picturesOnWire(messages)).toEqual([data, address]);
    expect(messages[1].content.map(({ type }: { type: string }) => type)).toEqual([
      "text",
      "image_url",
      "text",
      "image_url",
    ]);
    server.always(chatPath, refuse(400, `${model} is not a multimodal model`));
    await expect(
      open(server.baseUrl).doGenerate({
        ...request,
        messages: [{ role: "user", content: parts }],
      }),
    ).rejects.toThrow(/The model `test-model` reads only text.*use a model that reads images/);
  });

  it("reads tokens from a cache, and those of reasoning", async () => {
    await using server = await vllmServer();
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 6,
      total_tokens: 16,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 5 },
    };
    server.always(chatPath, chat({ content: "hi", envelope: { usage } }));
    const reply = await open(server.baseUrl).doGenerate(request);
    expect(reply.usage).toEqual({
      promptTokens: 10,
      completionTokens: 6,
      cachedPromptTokens: 4,
      reasoningTokens: 5,
    });
  });

  it.each([
    ["stop", "stop"],
    ["length", "length"],
    ["content_filter", "content-filter"],
    ["tool_calls", "tool-calls"],
    ["something new", "other"],
  ])("reads the finish reason %s", async (sent, read) => {
    await using server = await vllmServer();
    server.always(chatPath, chat({ content: "hi", finishReason: sent }));
    expect((await open(server.baseUrl).doGenerate(request)).finishReason).toBe(read);
  });

  it.each([
    [401, "lm-unauthorized", false],
    [404, "lm-not-found", false],
    [400, "lm-request-refused", false],
    [429, "lm-rate-limited", true],
    [500, "lm-server-error", true],
    [503, "lm-unavailable", true],
  ])("tells status %i as %s", async (status, code, isRetryable) => {
    await using server = await vllmServer();
    server.always(chatPath, refuse(status, "no, because"));
    const fault = await open(server.baseUrl)
      .doGenerate(request)
      .catch((error: unknown) => error);
    expect(fault).toMatchObject({ code, status, isRetryable });
    expect((fault as Error).message).toContain("no, because");
  });

  it("tells a prompt that is too long, and how long to wait", async () => {
    await using server = await vllmServer();
    const lm = open(server.baseUrl);
    const long = "This model's maximum context length is 8 tokens";
    server.script(
      chatPath,
      refuse(400, long),
      json({ error: { message: "slow down" } }, 429, { "retry-after": "7" }),
    );
    await expect(lm.doGenerate(request)).rejects.toMatchObject({ code: "lm-context-overflow" });
    await expect(lm.doGenerate(request)).rejects.toMatchObject({ retryAfterMs: 7_000 });
  });

  it("tells a server that is away, closes the connection, or answers with something else", async () => {
    await using server = await vllmServer();
    const lm = open(server.baseUrl);
    server.script(chatPath, reset, raw("<html>"), json({ object: "nothing" }));
    await expect(lm.doGenerate(request)).rejects.toMatchObject({ code: "lm-unreachable" });
    await expect(lm.doGenerate(request)).rejects.toMatchObject({ code: "lm-bad-envelope" });
    await expect(lm.doGenerate(request)).rejects.toMatchObject({ code: "lm-bad-envelope" });
    await expect(open("http://127.0.0.1:9/v1").doGenerate(request)).rejects.toMatchObject({
      code: "lm-unreachable",
    });
  });

  it("closes the connection of an aborted call", async () => {
    await using server = await vllmServer();
    server.always(chatPath, stall);
    const controller = new AbortController();
    const call = open(server.baseUrl).doGenerate(request, { signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
    await server.requests[0]?.aborted;
  });

  it("gives a program the replies that `connect` gives it", async () => {
    await using server = await vllmServer();
    server.always(
      chatPath,
      chat(({ body }) => ({
        content: JSON.stringify({ answer: `${body.messages.at(-1).content.length} characters` }),
      })),
    );
    await using direct = connect({ baseUrl: server.baseUrl, model });
    const input = { question: "How long is this?" };
    const ofSdk = await counting.run(input, { lm: open(server.baseUrl) });
    expect(ofSdk).toEqual(await counting.run(input, { lm: direct }));
    const [one, other] = server.requests.filter(({ path }) => path === chatPath);
    expect(one?.body.messages).toEqual(other?.body.messages);
    expect(one?.body.seed).toEqual(other?.body.seed);
  });
});

const count = signature({
  name: "count",
  instruction: "Count.",
  input: { question: text("question") },
  output: { answer: z.string() },
});
const counting = program({
  name: "counting",
  version: "1",
  input: count.input,
  output: count.output,
  predictors: { count: predict(count) },
  forward: (given, { predictors }) => predictors.count(given),
});

const openOn = (server: VllmServer) =>
  fromAiSdk(createOpenAICompatible({ ...named(server.baseUrl), ...constrained })(model));

it("goes through ledger, cache and retries as any other model does", async () => {
  await using server = await vllmServer();
  await using folder = await temporaryFolder();
  await using cache = diskCache(`${folder.path}/cache.sqlite`);
  const counted = ledger();
  const lm = withLedger(cached(withRetry(openOn(server)), cache), counted);
  server.script(chatPath, refuse(503, "busy"));
  const first = await lm.doGenerate(request);
  const second = await lm.doGenerate(request);
  expect(first.source).toBe("server");
  expect(second).toMatchObject({ source: "cache", content: first.content });
  expect(server.requests).toHaveLength(2);
  expect(counted.snapshot().total).toMatchObject({ logical: { calls: 2 }, billed: { calls: 1 } });
});

it("refuses what the interface cannot pass on, and says what else there is", async () => {
  await using server = await vllmServer();
  const refused = openOn(server).doGenerate({
    ...request,
    topLogprobs: 3,
    sampling: { ...defaultSampling, minP: 0.1 },
  });
  await expect(refused).rejects.toMatchObject({ code: "lm-unsupported" });
  await expect(refused).rejects.toThrow("`topLogprobs`, `minP`");
  expect(server.requests).toEqual([]);
});

it("hands on what a provider says it left out", async () => {
  await using server = await vllmServer();
  const warnings: object[] = [];
  const lm = fromAiSdk(createOpenAICompatible(named(server.baseUrl))(model), {
    onWarning: (warning) => warnings.push(warning),
  });
  await lm.doGenerate({ ...request, responseSchema: { name: "reply", schema } });
  expect(JSON.stringify(warnings)).toContain("responseFormat");
});

it("passes a provider's own options on", async () => {
  await using server = await vllmServer();
  const lm = fromAiSdk(createOpenAICompatible(named(server.baseUrl))(model), {
    providerOptions: { local: { min_p: 0.2 } },
  });
  await lm.doGenerate(request);
  expect(server.requests[0]?.body).toMatchObject({ min_p: 0.2 });
});

it("refuses what is no model of an AI SDK provider", () => {
  expect(() => fromAiSdk({} as never)).toThrow("`fromAiSdk` needs a language model");
  expect(() => fromAiSdk("gpt-5" as never)).toThrow("Got: string");
  expect(() => fromAiSdk({ specificationVersion: "v1" } as never)).toThrow(
    'Got: specificationVersion "v1"',
  );
});
