import { createRequire } from "node:module";
import type * as Ax from "@ax-llm/ax";
import { describe, expect, it } from "vitest";
import type { LanguageModel, LmRequest } from "../../src/contract/index.ts";
import { hosted } from "../../src/ax/index.ts";
import { defaultSampling } from "../../src/contract/index.ts";
import { endless } from "../support/endless-answer.ts";
import type { Answer, VllmServer } from "../support/vllm-server.ts";
import {
  chat,
  chatPath,
  json,
  raw,
  refuse,
  reset,
  stall,
  vllmServer,
} from "../support/vllm-server.ts";
import { faultOf } from "../lm/fault-of.ts";
import { contractAnswer, languageModelContract } from "../lm/language-model.contract.ts";
import { requestOf, until } from "../lm/requests.ts";

function hostedOn({ baseUrl }: VllmServer): LanguageModel {
  return hosted({ provider: "openai-compatible", apiUrl: baseUrl, model: "test-model" });
}

const deeplyNested = `{"error":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;

languageModelContract(
  "hosted",
  async () => {
    const server = await vllmServer();
    server.always(chatPath, contractAnswer);
    return {
      lm: hostedOn(server),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
  {
    logprobs: "ax drops log-probabilities, so the wish is refused",
    exhausted: "ax reads no `reasoning` from this provider",
  },
);

describe("a hosted language model", () => {
  it("refuses a key that no header can hold at once, and does not tell it", async () => {
    await using server = await vllmServer();
    const { baseUrl: apiUrl } = server;
    const apiKey = "\u201csk-1234\u201d";
    const lm = hosted({ provider: "openai-compatible", apiUrl, model: "test-model", apiKey });
    const fault = (await lm.doGenerate(requestOf("hi")).catch((error: unknown) => error)) as Error;
    expect(fault).toMatchObject({ code: "option-invalid", kind: "program" });
    expect(fault.message).not.toContain("sk-");
    expect(server.requests).toEqual([]);
  });

  it("sends messages, sampling and schema", async () => {
    await using server = await vllmServer();
    await hostedOn(server).doGenerate(
      requestOf("hi", {
        sampling: { ...defaultSampling, temperature: 0.5, maxCompletionTokens: 99, stop: ["END"] },
        responseSchema: { name: "reply", schema: { type: "object" } },
      }),
    );
    expect(server.requests[0]?.body).toMatchObject({
      model: "test-model",
      messages: [{ role: "user", content: "hi" }],
      temperature: 0.5,
      top_p: 1,
      max_completion_tokens: 99,
      stop: ["END"],
      response_format: {
        type: "json_schema",
        json_schema: { name: "reply", schema: { type: "object" }, strict: true },
      },
    });
    expect(server.requests[0]?.body).not.toHaveProperty("stream", true);
  });

  it("streams: each piece is handed on as it comes", async () => {
    await using server = await vllmServer();
    server.always(chatPath, chat({ content: "one two three four" }));
    const pieces: string[] = [];
    const onDelta = ({ content = "" }): void => void pieces.push(content);
    const { content } = await hostedOn(server).doGenerate(requestOf("hi"), { onDelta });
    expect(server.requests[0]?.body).toHaveProperty("stream", true);
    expect(content).toBe("one two three four");
    expect(pieces.join("")).toBe(content);
    expect(pieces.length).toBeGreaterThan(1);
  });

  it("sends tools, calls, results and pictures, and reads the calls of a reply", async () => {
    await using server = await vllmServer();
    server.always(
      chatPath,
      json({
        id: "1",
        model: "test-model",
        choices: [
          {
            index: 0,
            message: {
              role: "assistant",
              content: null,
              tool_calls: [
                { id: "x", type: "function", function: { name: "find", arguments: '{"a":1}' } },
              ],
            },
            finish_reason: "tool_calls",
          },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
    const reply = await hostedOn(server).doGenerate({
      ...requestOf("hi"),
      tools: [
        { name: "find", description: "Finds.", parameters: { type: "object", properties: {} } },
      ],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image", url: "data:image/png;base64,AAAA" },
          ],
        },
        { role: "assistant", content: "", toolCalls: [{ id: "y", name: "find", arguments: "{}" }] },
        { role: "tool", content: "Nothing.", toolCallId: "y" },
      ],
    });
    expect(reply.toolCalls).toEqual([{ id: "x", name: "find", arguments: '{"a":1}' }]);
    const sent = JSON.stringify(server.requests[0]?.body);
    for (const part of ["data:image/png;base64,AAAA", '"tool_call_id":"y"', '"name":"find"']) {
      expect(sent).toContain(part);
    }
  });

  it("can leave the schema to the prompt", async () => {
    await using server = await vllmServer();
    const lm = hosted({
      provider: "openai-compatible",
      apiUrl: server.baseUrl,
      model: "test-model",
      constrain: false,
    });
    await lm.doGenerate(requestOf("hi", { responseSchema: { name: "r", schema: {} } }));
    expect(server.requests[0]?.body).not.toHaveProperty("response_format");
  });

  it("counts cached prompt tokens among the prompt tokens", async () => {
    await using server = await vllmServer();
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 4,
      total_tokens: 14,
      prompt_tokens_details: { cached_tokens: 8 },
    };
    server.script(chatPath, chat({ envelope: { usage } }));
    expect((await hostedOn(server).doGenerate(requestOf("hi"))).usage).toMatchObject({
      promptTokens: 10,
      completionTokens: 4,
      cachedPromptTokens: 8,
    });
  });

  it("returns a reply without content, and one that was cut off, as they are", async () => {
    await using server = await vllmServer();
    server.script(chatPath, chat({ content: null, finishReason: "length" }));
    expect(await hostedOn(server).doGenerate(requestOf("hi"))).toMatchObject({
      content: null,
      finishReason: "length",
    });
  });

  it.each<[string, Partial<LmRequest>]>([
    ["topLogprobs", { topLogprobs: 2 }],
    ["extraBody", { extraBody: { priority: 1 } }],
    ["topK", { sampling: { ...defaultSampling, topK: 20 } }],
    ["minP", { sampling: { ...defaultSampling, minP: 0.1 } }],
    ["repetitionPenalty", { sampling: { ...defaultSampling, repetitionPenalty: 1.1 } }],
    ["thinking", { thinking: true }],
  ])("refuses %s, which ax cannot pass on", async (name, more) => {
    await using server = await vllmServer();
    const call = hostedOn(server).doGenerate(requestOf("hi", more));
    await expect(call).rejects.toMatchObject({
      code: "lm-unsupported",
      report: { problem: `A hosted model does not support \`${name}\`` },
    });
    expect(server.requests).toHaveLength(0);
  });

  it.each<[string, Answer, boolean]>([
    ["lm-request-refused", refuse(400, "no such key"), false],
    ["lm-context-overflow", refuse(400, "maximum context length is 4096"), false],
    ["lm-unauthorized", refuse(401, "no"), false],
    ["lm-not-found", refuse(404, "no such model"), false],
    ["lm-rate-limited", refuse(429, "slow"), true],
    ["lm-unavailable", refuse(503, "no"), true],
    ["lm-server-error", refuse(500, "no"), true],
    ["lm-unreachable", reset, true],
    ["lm-bad-envelope", raw("<html>", "text/html"), true],
    ["lm-bad-envelope", raw('{"a":', "application/json"), true],
    ["lm-bad-envelope", json({ object: "chat.completion" }), true],
  ])("tells faults apart and asks once: %s", async (code, answer, isRetryable) => {
    await using server = await vllmServer();
    server.always(chatPath, answer);
    const call = hostedOn(server).doGenerate(requestOf("hi"));
    await expect(call).rejects.toMatchObject({ code, isRetryable });
    expect(server.requests).toHaveLength(1);
  });

  it("refuses a reply beyond the limit, and closes its connection", async () => {
    await using server = await vllmServer();
    server.always(chatPath, endless("x".repeat(1024)));
    const { baseUrl: apiUrl } = server;
    const provider = "openai-compatible";
    const lm = hosted({ provider, apiUrl, model: "test-model", maxReplyBytes: 64 * 1024 });
    const error = await faultOf(lm.doGenerate(requestOf("hi")));
    expect(error).toMatchObject({ code: "lm-reply-too-large", isRetryable: false });
    expect(error.message).toContain("Expected: at most 64 KiB");
    await server.requests[0]?.aborted;
  });

  it("reads of an endless refusal the beginning", async () => {
    await using server = await vllmServer();
    server.always(chatPath, endless("x".repeat(1024), { status: 400 }));
    const error = await faultOf(hostedOn(server).doGenerate(requestOf("hi")));
    expect(error).toMatchObject({ code: "lm-request-refused", isRetryable: false });
    expect(error.body).toHaveLength(2_000);
    await server.requests[0]?.aborted;
  });

  it("follows no redirect, and says where it leads", async () => {
    await using server = await vllmServer();
    await using other = await vllmServer();
    const location = `${other.baseUrl}/chat/completions?key=top-secret-key`;
    server.always(chatPath, json({}, 302, { location }));
    const lm = hosted({
      provider: "openai-compatible",
      apiUrl: server.baseUrl,
      apiKey: "top-secret-key",
      model: "test-model",
    });
    const error = await faultOf(lm.doGenerate(requestOf("hi")));
    expect(error).toMatchObject({ code: "lm-not-found", status: 302, isRetryable: false });
    expect(error.message).toContain(`${other.baseUrl}/chat/completions`);
    expect(error.message).not.toContain("top-secret-key");
    expect(other.requests).toHaveLength(0);
  });

  it.each([
    ["a refusal", 400, "lm-request-refused", false],
    ["a reply", 200, "lm-bad-envelope", true],
  ])("tells %s that is nested too deeply as what it is", async (_, status, code, isRetryable) => {
    await using server = await vllmServer();
    server.always(chatPath, raw(deeplyNested, "application/json", status));
    const error = await faultOf(hostedOn(server).doGenerate(requestOf("hi")));
    expect(error).toMatchObject({ code, isRetryable });
    expect(error.message).not.toContain("call stack");
  });

  it.each([
    ["lm-unavailable", refuse(503, "no")],
    ["lm-unauthorized", refuse(401, "no")],
    ["lm-bad-envelope", raw("<html>", "text/html")],
    ["lm-bad-envelope", raw(deeplyNested, "application/json")],
    ["lm-bad-envelope", raw(deeplyNested, "application/json", 400)],
  ])("tells %s also of a service of another copy of ax", async (code, answer) => {
    await using server = await vllmServer();
    // The CommonJS build is a copy with classes of its own, as that of a user is.
    const { ai }: typeof Ax = createRequire(import.meta.url)("@ax-llm/ax");
    const service = ai({
      name: "openai-compatible",
      apiURL: server.baseUrl,
      config: { model: "test-model", stream: false },
    } as never);
    server.always(chatPath, answer);
    const lm = hosted({ provider: "ours", model: "test-model", service });
    await expect(lm.doGenerate(requestOf("hi"))).rejects.toMatchObject({ code });
  });

  it("takes a model that declines for a format failure", async () => {
    await using server = await vllmServer();
    const message = { role: "assistant", content: null, refusal: "I would rather not." };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    server.script(chatPath, chat({ envelope: { choices } }));
    await expect(hostedOn(server).doGenerate(requestOf("hi"))).rejects.toMatchObject({
      kind: "format",
      rawText: "I would rather not.",
    });
  });

  it("closes the HTTP request when aborted", async () => {
    await using server = await vllmServer();
    server.always(chatPath, stall);
    const controller = new AbortController();
    const reason = new Error("enough");
    const call = hostedOn(server).doGenerate(requestOf("hi"), { signal: controller.signal });
    const thrown = call.catch((error: unknown) => error);
    await until(() => server.requests.length > 0);
    controller.abort(reason);
    expect(await thrown).toBe(reason);
    await server.requests[0]?.aborted;
  });
});
