import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { describe, expect, it } from "vitest";
import type { LmCallOptions, LmReply, LmRequest } from "../../src/contract/index.ts";
import { openAiCompatible } from "../../src/lm/index.ts";
import { fromAiSdk } from "@espalier/ai-sdk";
import { hosted } from "../../src/ax/index.ts";
import type { Answer } from "../support/vllm-server.ts";
import { chatPath, json, refuse, vllmServer } from "../support/vllm-server.ts";
import { faultOf } from "./fault-of.ts";
import { refusals } from "./provider-refusals.ts";
import { requestOf } from "./requests.ts";

// Shapes as providers document them, or as public reports show them.

type Way = "whole" | "streamed";
const ways: readonly Way[] = ["whole", "streamed"];

/** The same body whole, or as the chunks of a stream. */
function answering(body: object, chunks: readonly object[] = []): Answer {
  return (request, response) => {
    if (request.body?.stream !== true) return void json(body)(request, response);
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end("data: [DONE]\n\n");
  };
}

async function asked(answer: Answer, way: Way, more: Partial<LmRequest> = {}): Promise<LmReply> {
  await using server = await vllmServer();
  server.always(chatPath, answer);
  const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "asked" });
  const onDelta = (): void => undefined;
  return await lm.doGenerate(requestOf("hi", more), way === "streamed" ? { onDelta } : {});
}

const usage = { prompt_tokens: 5, completion_tokens: 5 };
const reply = (message: object, more: object = {}): object => ({
  model: "m",
  choices: [{ message, finish_reason: "stop", ...more }],
  usage,
});
const chunk = (delta: object, more: object = {}): object => ({
  model: "m",
  choices: [{ delta, finish_reason: null, ...more }],
});
const end = (finish_reason = "stop"): object => ({ ...chunk({}, { finish_reason }), usage });

describe.each(ways)("a reply, %s,", (way) => {
  it.each<[string, object, Partial<LmReply>]>([
    [
      "with text and thoughts as parts (Mistral)",
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
          { type: "text", text: "x" },
        ],
      },
      { content: "x", reasoning: "hm" },
    ],
    [
      "with reasoning as an object",
      { content: "x", reasoning: { text: "hm" } },
      { content: "x", reasoning: "hm" },
    ],
    [
      "with `reasoning: null` beside older words",
      { content: "x", reasoning: null, reasoning_content: "hm" },
      { content: "x", reasoning: "hm" },
    ],
  ])("%s is read", async (_name, message, read) => {
    const answer = answering(reply(message), [chunk(message), end()]);
    expect(await asked(answer, way)).toMatchObject(read);
  });

  it("that does not name its model has the name of the one that was asked", async () => {
    const { model: _, ...whole } = reply({ content: "x" }) as { readonly model: string };
    const chunks = [chunk({ content: "x" }), end()].map((one) => ({ ...one, model: undefined }));
    expect((await asked(answering(whole, chunks), way)).model).toBe("asked");
  });

  it("with log-probabilities of another shape is used where nobody asked for them", async () => {
    const logprobs = { content: [{ token: "x", logprob: -0.1 }] };
    const answer = answering(reply({ content: "x" }, { logprobs }), [
      chunk({ content: "x" }, { logprobs }),
      end(),
    ]);
    expect((await asked(answer, way)).content).toBe("x");
    expect(await faultOf(asked(answer, way, { topLogprobs: 2 }))).toMatchObject({
      code: "lm-bad-envelope",
    });
  });

  it.each<[string, object | null | undefined, Partial<LmReply["usage"]>]>([
    ["without usage", undefined, { promptTokens: null, completionTokens: null }],
    ["with `usage: null`", null, { promptTokens: null, completionTokens: null }],
    [
      "without completion tokens (LiteLLM)",
      { prompt_tokens: 11, total_tokens: 11 },
      { promptTokens: 11, completionTokens: null },
    ],
    [
      "with counts that are none",
      { prompt_tokens: -1, completion_tokens: "5", prompt_tokens_details: 3 },
      { promptTokens: null, completionTokens: null, cachedPromptTokens: null },
    ],
  ])("%s is used", async (_name, said, read) => {
    const answer = answering({ ...reply({ content: "x" }), usage: said }, [
      chunk({ content: "x" }),
      { ...end(), usage: said },
    ]);
    const { content, usage: heard } = await asked(answer, way);
    expect(content).toBe("x");
    expect(heard).toMatchObject(read);
  });

  it("with its usage in the choice (Moonshot) is counted", async () => {
    const answer = answering({ ...reply({ content: "x" }, { usage }), usage: undefined }, [
      chunk({ content: "x" }),
      chunk({}, { finish_reason: "stop", usage }),
    ]);
    expect((await asked(answer, way)).usage).toMatchObject({
      promptTokens: 5,
      completionTokens: 5,
    });
  });

  it("without the log-probabilities that were asked for is used", async () => {
    const answer = answering(reply({ content: "x" }), [chunk({ content: "x" }), end()]);
    const { content, logprobs } = await asked(answer, way, { topLogprobs: 2 });
    expect({ content, logprobs }).toEqual({ content: "x", logprobs: undefined });
  });

  it("in which the model declines says so in words", async () => {
    const refusal = { content: null, refusal: "I will not." };
    const answer = answering(reply(refusal), [chunk(refusal), end()]);
    await expect(asked(answer, way)).rejects.toMatchObject({
      code: "output-empty",
      kind: "format",
      report: { got: "I will not." },
    });
  });

  it.each(["error", "abort", "insufficient_system_resource", "network_error"])(
    "that ends with `%s` is the server's fault",
    async (reason) => {
      const answer = answering(reply({ content: "half" }, { finish_reason: reason }), [
        chunk({ content: "half" }),
        end(reason),
      ]);
      expect(await faultOf(asked(answer, way))).toMatchObject({
        code: "lm-server-error",
        kind: "infrastructure",
        isRetryable: true,
      });
    },
  );

  it.each([
    ["STOP", "stop"],
    ["end_turn", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content-filter"],
    ["tool_use", "tool-calls"],
    ["something new", "other"],
  ])("that ends with `%s` ends with %s", async (sent, read) => {
    const answer = answering(reply({ content: "x" }, { finish_reason: sent }), [
      chunk({ content: "x" }),
      end(sent),
    ]);
    expect((await asked(answer, way)).finishReason).toBe(read);
  });

  it.each<[object, string, boolean]>([
    [{ code: 401, message: "No auth credentials found" }, "lm-unauthorized", false],
    [{ code: 402, message: "Insufficient credits" }, "lm-quota-exhausted", false],
    [{ code: 429, message: "Rate limit exceeded" }, "lm-rate-limited", true],
    [{ type: "rate_limit_error", message: "Slow down" }, "lm-rate-limited", true],
    [{ type: "authentication_error", message: "invalid x-api-key" }, "lm-unauthorized", false],
    [
      { code: "context_length_exceeded", type: "invalid_request_error" },
      "lm-context-overflow",
      false,
    ],
    [{ message: "overloaded" }, "lm-server-error", true],
  ])(
    "with status 200 and the error %j is that error, also inside a choice",
    async (error, code, isRetryable) => {
      const beside = answering({ error }, [{ error }]);
      const inside = answering(reply({ content: "" }, { finish_reason: "error", error }), [
        chunk({ content: "" }, { finish_reason: "error", error }),
      ]);
      for (const answer of [beside, inside]) {
        expect(await faultOf(asked(answer, way))).toMatchObject({ code, isRetryable });
      }
    },
  );
});

describe("calls of tools", () => {
  type Piece = readonly [
    index: number | null,
    id: string | null,
    name: string | null,
    said: unknown,
  ];
  const wire = ([index, id, name, said]: Piece): object => ({
    ...(index !== null && { index }),
    ...(id !== null && { id }),
    function: { ...(name !== null && { name }), arguments: said },
  });
  const look = { id: "a", name: "look", arguments: '{"k":"1"}' };
  const read = { id: "b", name: "read", arguments: '{"k":"2"}' };

  it.each<[string, readonly Piece[], readonly object[]]>([
    [
      "by index",
      [
        [0, "a", "look", ""],
        [1, "b", "read", ""],
        [0, null, null, '{"k":"1"}'],
        [1, null, null, '{"k":"2"}'],
      ],
      [look, read],
    ],
    [
      "all of index 0 (Ollama, Dynamo)",
      [
        [0, "a", "look", '{"k":"1"}'],
        [0, "b", "read", '{"k":"2"}'],
      ],
      [look, read],
    ],
    [
      "without an index (Gemini, Moonshot)",
      [
        [null, "a", "look", ""],
        [null, null, null, '{"k":'],
        [null, null, null, '"1"}'],
        [null, "b", "read", '{"k":"2"}'],
      ],
      [look, read],
    ],
    [
      "with the id in every piece",
      [
        [null, "a", "look", '{"k":'],
        [null, "a", null, '"1"}'],
      ],
      [look],
    ],
    [
      "with another id in every piece (vLLM of 2024)",
      [
        [0, "a", "look", ""],
        [0, "x", null, '{"k":"1"}'],
      ],
      [look],
    ],
    [
      "with neither index nor id (mistral.rs)",
      [
        [null, null, "look", '{"k":"1"}'],
        [null, null, "read", '{"k":"2"}'],
      ],
      [
        { ...look, id: "call-1" },
        { ...read, id: "call-2" },
      ],
    ],
    [
      "with the name in every piece",
      [
        [0, "a", "look", '{"k":'],
        [0, "a", "look", '"1"}'],
      ],
      [look],
    ],
  ])("in pieces, %s", async (_name, pieces, calls) => {
    const chunks = pieces.map((piece) => chunk({ tool_calls: [wire(piece)] }));
    const answer = answering({}, [...chunks, end("tool_calls")]);
    expect((await asked(answer, "streamed")).toolCalls).toEqual(calls);
  });

  it.each<[string, readonly Piece[], readonly object[]]>([
    [
      "all of index 0",
      [
        [0, "a", "look", '{"k":"1"}'],
        [0, "b", "look", '{"k":"2"}'],
      ],
      [look, { ...read, name: "look" }],
    ],
    [
      "with one id",
      [
        [0, "a", "look", '{"k":"1"}'],
        [1, "a", "read", '{"k":"2"}'],
      ],
      [look, { ...read, id: "a" }],
    ],
    ["with an object of arguments (llama.cpp, Ollama)", [[null, "a", "look", { k: "1" }]], [look]],
  ])("in a whole reply, %s", async (_name, pieces, calls) => {
    const answer = answering(reply({ content: null, tool_calls: pieces.map(wire) }));
    expect((await asked(answer, "whole")).toolCalls).toEqual(calls);
  });
});

type Driver = (baseUrl: string, options: LmCallOptions) => Promise<LmReply>;
const drivers: Readonly<Record<string, Driver>> = {
  own: (baseUrl, options) =>
    openAiCompatible({ baseUrl, model: "m" }).doGenerate(requestOf("hi"), options),
  "AI SDK": (baseURL, options) =>
    fromAiSdk(
      createOpenAICompatible({ baseURL, name: "test", includeUsage: true }).chatModel("m"),
    ).doGenerate(requestOf("hi"), options),
  ax: (apiUrl, options) =>
    hosted({ provider: "openai-compatible", apiUrl, model: "m" }).doGenerate(
      requestOf("hi"),
      options,
    ),
};

describe.each(Object.entries(drivers))("through the driver %s", (driver, drive) => {
  it.each(
    refusals.flatMap((refusal) =>
      ways.map((way) => [refusal[0], refusal[1], way, refusal[2], refusal[3]] as const),
    ),
  )("a refusal by %s (status %i) has its code, %s", async (_name, status, way, body, code) => {
    await using server = await vllmServer();
    server.always(chatPath, json(body, status));
    const call = drive(server.baseUrl, way === "streamed" ? { onDelta: () => {} } : {});
    // ax keeps to itself whether it was 401 or 403.
    const told = driver === "ax" && status === 403 ? undefined : status;
    expect(await faultOf(call)).toMatchObject({ code, status: told });
    expect(server.requests).toHaveLength(1);
  });
});

it.each(
  refusals
    .filter(([, , , code]) => code === "lm-context-overflow" || code === "lm-prompt-refused")
    .flatMap(([name, , body, code]) => ways.map((way) => [name, way, body, code] as const)),
)("what %s refuses inside of a reply, %s, costs its row alone", async (_name, way, body, code) => {
  const error = (Array.isArray(body) ? body[0] : body) as object;
  const said = "error" in error ? error : { error };
  expect(await faultOf(asked(answering(said, [chunk({}), said]), way))).toMatchObject({ code });
});

it("a refusal without a body has the code of its status", async () => {
  expect(await faultOf(asked(refuse(413, ""), "whole"))).toMatchObject({
    code: "lm-context-overflow",
  });
});

it("a provider's error as the finish reason is infrastructure through the AI SDK too", async () => {
  const model = {
    specificationVersion: "v2",
    provider: "p",
    modelId: "m",
    supportedUrls: {},
    doGenerate: () =>
      Promise.resolve({
        content: [{ type: "text", text: "half" }],
        finishReason: "error",
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        warnings: [],
      }),
  };
  const lm = fromAiSdk(model as unknown as Parameters<typeof fromAiSdk>[0]);
  expect(await faultOf(lm.doGenerate(requestOf("hi")))).toMatchObject({ code: "lm-server-error" });
});

it("and through ax", async () => {
  const chat = () =>
    Promise.resolve({
      results: [{ index: 0, content: "half", finishReason: "error" }],
      modelUsage: { tokens: { promptTokens: 1, completionTokens: 1, totalTokens: 2 } },
    });
  const lm = hosted({ provider: "p", model: "m", service: { getFeatures: () => ({}), chat } });
  expect(await faultOf(lm.doGenerate(requestOf("hi")))).toMatchObject({ code: "lm-server-error" });
});
