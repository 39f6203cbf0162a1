import { describe, expect, it } from "vitest";
import type { LmRequest } from "../../../src/contract/index.ts";
import { openAiCompatible, thinkingTemplates } from "../../../src/lm/index.ts";
import { defaultSampling } from "../../../src/contract/index.ts";
import { chat, chatPath, json, raw, refuse, vllmServer } from "../../support/vllm-server.ts";
import { contractAnswer, languageModelContract } from "../language-model.contract.ts";

languageModelContract("openAiCompatible", async () => {
  const server = await vllmServer();
  server.always(chatPath, contractAnswer);
  return {
    lm: openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

languageModelContract("openAiCompatible over the global fetch", async () => {
  const server = await vllmServer();
  server.always(chatPath, contractAnswer);
  return {
    lm: openAiCompatible({ baseUrl: server.baseUrl, model: "test-model", fetch }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});

const request: LmRequest = {
  messages: [{ role: "user", content: "hi" }],
  sampling: defaultSampling,
  seed: 3,
};

const stream = (events: readonly object[]) =>
  raw(
    [...events.map((event) => JSON.stringify(event)), "[DONE]"]
      .map((data) => `data: ${data}\n\n`)
      .join(""),
    "text/event-stream",
  );

describe("tools and pictures", () => {
  const tools = [{ name: "find", description: "Finds.", parameters: { type: "object" } }];

  it("travel as OpenAI's own parts, calls and results", async () => {
    await using server = await vllmServer();
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    await lm.doGenerate({
      ...request,
      tools,
      toolChoice: "none",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image", url: "data:image/png;base64,AAAA" },
          ],
        },
        {
          role: "assistant",
          content: "",
          toolCalls: [{ id: "call00101", name: "find", arguments: "{}" }],
        },
        { role: "tool", content: "Nothing.", toolCallId: "call00101" },
      ],
    });
    expect(server.requests[0]?.body).toMatchObject({
      tools: [
        {
          type: "function",
          function: { name: "find", description: "Finds.", parameters: { type: "object" } },
        },
      ],
      tool_choice: "none",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          ],
        },
        {
          role: "assistant",
          content: "",
          tool_calls: [
            { id: "call00101", type: "function", function: { name: "find", arguments: "{}" } },
          ],
        },
        { role: "tool", content: "Nothing.", tool_call_id: "call00101" },
      ],
    });
  });

  it("come back as calls, whole and in pieces of a stream", async () => {
    await using server = await vllmServer();
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    const call = (index: number, id: string | null, name: string | null, given: string) => ({
      index,
      ...(id !== null && { id, type: "function" }),
      function: { ...(name !== null && { name }), arguments: given },
    });
    server.always(
      chatPath,
      json({
        model: "test-model",
        choices: [
          {
            message: { content: null, tool_calls: [call(0, "x", "find", '{"a":1}')] },
            finish_reason: "tool_calls",
          },
        ],
        usage,
      }),
    );
    const whole = await lm.doGenerate({ ...request, tools });
    expect(whole).toMatchObject({
      content: null,
      finishReason: "tool-calls",
      toolCalls: [{ id: "x", name: "find", arguments: '{"a":1}' }],
    });
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      model: "test-model",
      choices: [{ delta, finish_reason }],
    });
    server.always(
      chatPath,
      stream([
        chunk({ tool_calls: [call(0, "x", "find", "")] }),
        chunk({ tool_calls: [call(0, null, null, '{"a"')] }),
        chunk({ tool_calls: [call(1, "y", "find", "{}")] }),
        chunk({ tool_calls: [call(0, null, null, ":1}")] }),
        chunk({}, "tool_calls"),
        { model: "test-model", choices: [], usage },
      ]),
    );
    const streamed = await lm.doGenerate({ ...request, tools }, { onDelta: () => undefined });
    expect(streamed.toolCalls).toEqual([
      { id: "x", name: "find", arguments: '{"a":1}' },
      { id: "y", name: "find", arguments: "{}" },
    ]);
  });

  it("are refused by a server without them in a sentence that says what to do", async () => {
    await using server = await vllmServer();
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const refusing = (message: string) =>
      server.always(chatPath, json({ error: { message, code: 400 } }, 400));
    refusing(
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    );
    await expect(lm.doGenerate({ ...request, tools })).rejects.toThrow(
      /`agent\(\{ \.\.\., calls: "json"/,
    );
    refusing("test-model is not a multimodal model");
    const image = { type: "image", url: "https://example.org/a.png" } as const;
    const shown = { ...request, messages: [{ role: "user", content: [image] }] } as const;
    await expect(lm.doGenerate(shown)).rejects.toThrow(
      /The model `test-model` reads only text.*use a model that reads images/,
    );
    await expect(lm.doGenerate(request)).rejects.not.toThrow(/reads only text/);
  });
});

describe("a request to an OpenAI-compatible server", () => {
  it("sends every sampling parameter as a top-level key", async () => {
    await using server = await vllmServer();
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    await lm.doGenerate({
      ...request,
      responseSchema: { name: "reply", schema: { type: "object" } },
      topLogprobs: 5,
      thinking: false,
      extraBody: { priority: 10, chat_template_kwargs: { tools: "none" } },
    });
    expect(server.requests[0]?.body).toEqual({
      model: "test-model",
      messages: [{ role: "user", content: "hi" }],
      temperature: 0,
      top_p: 1,
      top_k: -1,
      min_p: 0,
      presence_penalty: 0,
      frequency_penalty: 0,
      repetition_penalty: 1,
      max_completion_tokens: 4096,
      stop: [],
      seed: 3,
      response_format: {
        type: "json_schema",
        json_schema: { name: "reply", schema: { type: "object" }, strict: true },
      },
      logprobs: true,
      top_logprobs: 5,
      chat_template_kwargs: { tools: "none", enable_thinking: false },
      priority: 10,
    });
  });

  it("leaves out in OpenAI's dialect what OpenAI does not know", async () => {
    await using server = await vllmServer();
    const lm = openAiCompatible({
      baseUrl: server.baseUrl,
      model: "test-model",
      dialect: "openai",
    });
    await lm.doGenerate({ ...request, thinking: true });
    expect(Object.keys(server.requests[0]?.body)).toEqual([
      "model",
      "messages",
      "temperature",
      "top_p",
      "presence_penalty",
      "frequency_penalty",
      "max_completion_tokens",
      "stop",
      "seed",
      "reasoning_effort",
    ]);
  });

  it("refuses what OpenAI's dialect would have to drop", async () => {
    const lm = openAiCompatible({
      baseUrl: "http://127.0.0.1:1/v1",
      model: "m",
      dialect: "openai",
    });
    const call = lm.doGenerate({ ...request, sampling: { ...defaultSampling, topK: 20 } });
    await expect(call).rejects.toThrowErrorMatchingInlineSnapshot(
      `[LmError: The \`openai\` dialect does not support top-k, min-p or a repetition penalty. Expected: \`topK: 0\`, \`minP: 0\`, \`repetitionPenalty: 1\`. Got: {"topK":20,"minP":0,"repetitionPenalty":1}. Turn them off, or use \`dialect: "vllm"\` if the server supports them.]`,
    );
  });

  it("refuses an extra key that it sets itself", async () => {
    const lm = openAiCompatible({ baseUrl: "http://127.0.0.1:1/v1", model: "m" });
    const call = lm.doGenerate({ ...request, extraBody: { temperature: 1, cache_salt: "a" } });
    await expect(call).rejects.toThrowErrorMatchingInlineSnapshot(
      `[LmError: \`extraBody\` repeats \`temperature\`. Expected: keys that the request does not set itself. Set \`sampling\`, \`seed\`, \`thinking\` and the like instead.]`,
    );
  });

  it("tells other model families in their own way whether to think, and has another identity", async () => {
    await using server = await vllmServer();
    const usual = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const granite = openAiCompatible({
      baseUrl: server.baseUrl,
      model: "test-model",
      thinkingTemplate: thinkingTemplates.thinking,
    });
    await granite.doGenerate({ ...request, thinking: true });
    expect(server.requests[0]?.body.chat_template_kwargs).toEqual({ thinking: true });
    expect(usual.identity).toEqual({ provider: "vllm", model: "test-model" });
    expect(granite.identity).not.toEqual(usual.identity);
  });

  it("sends key and headers, and no credentials when there is no key", async () => {
    await using server = await vllmServer();
    const open = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const closed = openAiCompatible({
      baseUrl: server.baseUrl,
      model: "test-model",
      apiKey: "secret",
      headers: { "x-session-id": "s1" },
    });
    await open.doGenerate(request);
    await closed.doGenerate(request);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      "Bearer secret",
    ]);
    expect(server.requests[1]?.headers["x-session-id"]).toBe("s1");
  });
});

describe("a reply of an OpenAI-compatible server", () => {
  it("has usage with cached and reasoning tokens, and null where the server does not say", async () => {
    await using server = await vllmServer();
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const usage = { prompt_tokens: 9, completion_tokens: 8, total_tokens: 17 };
    const told = {
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 5 },
    };
    server.script(
      chatPath,
      chat({ envelope: { usage: { ...usage, ...told } } }),
      chat({ envelope: { usage } }),
    );
    expect((await lm.doGenerate(request)).usage).toEqual({
      promptTokens: 9,
      completionTokens: 8,
      cachedPromptTokens: 0,
      reasoningTokens: 5,
    });
    expect((await lm.doGenerate(request)).usage).toEqual({
      promptTokens: 9,
      completionTokens: 8,
      cachedPromptTokens: null,
      reasoningTokens: null,
    });
  });

  it("has the reasoning of old servers too", async () => {
    await using server = await vllmServer();
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const message = { role: "assistant", content: "42", reasoning_content: "six by seven" };
    server.script(
      chatPath,
      chat({ envelope: { choices: [{ index: 0, message, finish_reason: "stop" }] } }),
    );
    expect(await lm.doGenerate(request)).toMatchObject({
      content: "42",
      reasoning: "six by seven",
    });
  });

  it("streams reasoning apart from content, with log-probabilities and usage at the end", async () => {
    await using server = await vllmServer();
    server.script(chatPath, chat({ content: "it is yes", reasoning: "let me see" }));
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const deltas: unknown[] = [];
    const reply = await lm.doGenerate(
      { ...request, topLogprobs: 1 },
      { onDelta: (delta) => deltas.push(delta) },
    );
    expect(deltas).toEqual([
      { reasoning: "let" },
      { reasoning: " me" },
      { reasoning: " see" },
      { content: "it" },
      { content: " is" },
      { content: " yes" },
    ]);
    expect(reply).toMatchObject({ content: "it is yes", reasoning: "let me see" });
    expect(reply.usage).toMatchObject({ promptTokens: 1, completionTokens: 3 });
    expect(reply.logprobs?.map(({ token }) => token)).toEqual(["it", " is", " yes"]);
  });

  it.each([
    "System role not supported",
    "After the optional system message, conversation roles must alternate user/assistant",
    "Only user and assistant roles are supported!",
  ])("tells the user what the system says where the template refuses: %s", async (words) => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(400, words));
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const messages = [
      { role: "system", content: "Be brief." },
      ...request.messages,
    ] as const satisfies LmRequest["messages"];
    const again: unknown[] = [];
    await lm.doGenerate({ ...request, messages }, { onRetry: (fault) => void again.push(fault) });
    await lm.doGenerate({ ...request, messages });
    const told = [{ role: "user", content: "Be brief.\n\nhi" }];
    const sent = server.requests.map(({ body }) => body.messages);
    expect(sent).toEqual([messages, told, told]);
    expect(again).toHaveLength(1);
  });

  it("folds each of many calls at once, and no later one where folding did not help", async () => {
    await using server = await vllmServer();
    const words = "System role not supported";
    let isStubborn = false;
    server.always(chatPath, ({ body }, response) =>
      (isStubborn || body.messages[0]?.role === "system"
        ? refuse(400, words)
        : chat({ content: "yes" }))({ body } as never, response),
    );
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const messages = [{ role: "system", content: "Be brief." } as const, ...request.messages];
    isStubborn = true;
    await expect(lm.doGenerate({ ...request, messages })).rejects.toThrow(words);
    isStubborn = false;
    const calls = Array.from({ length: 4 }, () => lm.doGenerate({ ...request, messages }));
    for (const { content } of await Promise.all(calls)) expect(content).toBe("yes");
    const kept = server.requests.filter(({ body }) => body.messages[0]?.role === "system");
    expect(kept.length).toBeGreaterThan(1);
  });

  const responseSchema = {
    name: "answer",
    schema: {
      type: "object",
      properties: {
        label: { type: "string", enum: ["yes", "no"] },
        parts: { type: "array", items: { type: "object", properties: { page: {} } } },
        reason: { anyOf: [{ type: "string" }, { type: "null" }] },
        byName: { type: "object", additionalProperties: { type: "boolean" } },
        pair: { type: "array", prefixItems: [{ type: "number" }, { type: "string" }] },
      },
    },
  } as const;
  const shape =
    'Reply with JSON alone: {"label":"yes"|"no","parts":[{"page":...}],"reason":"..."|null,' +
    '"byName":{"...":true|false},"pair":[...,"..."]}';

  it.each([
    "Unrecognized request argument supplied: response_format",
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    "This response_format type is unavailable now",
    "body -> response_format: Extra inputs are not permitted",
  ])("shows the shape of the reply where the server takes no schema: %s", async (words) => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(400, words));
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const again: unknown[] = [];
    await lm.doGenerate({ ...request, responseSchema }, { onRetry: (one) => void again.push(one) });
    await lm.doGenerate({ ...request, responseSchema });
    const told = [{ role: "user", content: `hi\n\n${shape}` }];
    const sent = server.requests.map(({ body }) => [body.response_format?.type, body.messages]);
    const whole = [request.messages[0]];
    expect(sent).toEqual([
      ["json_schema", whole],
      [undefined, told],
      [undefined, told],
    ]);
    expect(again).toHaveLength(1);
  });

  it("goes without a schema and a system message where the server takes neither", async () => {
    await using server = await vllmServer();
    server.script(
      chatPath,
      refuse(400, "System role not supported"),
      refuse(400, "response_format is not supported"),
    );
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const messages = [{ role: "system", content: "Be brief." } as const, ...request.messages];
    await lm.doGenerate({ ...request, messages, responseSchema });
    const content = `Be brief.\n\n${shape}\n\nhi`;
    expect(server.requests.at(-1)?.body.messages).toEqual([{ role: "user", content }]);
    expect(server.requests).toHaveLength(3);
  });

  it("sends no schema to a server of which doctor has found that it ignores them", async () => {
    await using server = await vllmServer();
    const { baseUrl } = server;
    const lm = openAiCompatible({ baseUrl, model: "test-model", schemas: false });
    await lm.doGenerate({ ...request, responseSchema });
    expect(server.requests[0]?.body).not.toHaveProperty("response_format");
    // Replies that were cached with schemas are others.
    expect(lm.identity.provider).toBe("vllm+no-schemas");
  });

  it.each([
    "Invalid schema for response_format 'answer': 'required' is missing.",
    "Failed to compile the grammar of response_format",
    "Invalid JSON schema for response_format: 'answer': /properties/x is not supported",
    "Unsupported JSON schema fields: {'minItems'} param: response_format",
    "response_format json_schema is not supported together with tools",
  ])("says what is wrong with a schema: %s", async (words) => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(400, words));
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    await expect(lm.doGenerate({ ...request, responseSchema })).rejects.toThrow(words);
  });

  it("is asked without log-probabilities once the server has refused them", async () => {
    await using server = await vllmServer();
    server.script(chatPath, refuse(400, "logprobs are not supported with this model"));
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    const call = lm.doGenerate({ ...request, topLogprobs: 2 });
    await expect(call).rejects.toMatchObject({ code: "lm-request-refused" });
    await lm.doGenerate({ ...request, topLogprobs: 2 });
    expect(server.requests.map(({ body }) => body.logprobs)).toEqual([true, undefined]);
  });

  it("whose generation the server gave up is a server fault", async () => {
    await using server = await vllmServer();
    server.script(chatPath, chat({ content: "half", finishReason: "abort" }));
    const lm = openAiCompatible({ baseUrl: server.baseUrl, model: "test-model" });
    await expect(lm.doGenerate(request)).rejects.toMatchObject({ code: "lm-server-error" });
  });
});
