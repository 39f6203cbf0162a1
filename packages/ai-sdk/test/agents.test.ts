import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenAICompatible as createOfV2 } from "ai-sdk-v2";
import { createOpenAICompatible as createOfV3 } from "ai-sdk-v3";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { LanguageModel, LmDelta, LmRequest } from "../../../src/index.ts";
import { agent, program, signature, text, tool } from "../../../src/index.ts";
import { fromAiSdk } from "../src/index.ts";
import { defaultSampling } from "../../../src/lm/index.ts";
import { scriptedLm } from "../../../test/support/scripted-lm.ts";

const model = "scripted";
const named = (baseURL: string) =>
  ({ name: "local", baseURL, includeUsage: true, supportsStructuredOutputs: true }) as const;

const providers: Readonly<Record<string, (baseUrl: string) => LanguageModel>> = {
  "openai-compatible of AI SDK 5 (v2)": (url) => fromAiSdk(createOfV2(named(url))(model)),
  "openai-compatible of AI SDK 6 (v3)": (url) => fromAiSdk(createOfV3(named(url))(model)),
  "openai-compatible (v4)": (url) => fromAiSdk(createOpenAICompatible(named(url))(model)),
  "openai (v4)": (url) => fromAiSdk(createOpenAI({ baseURL: url, apiKey: "none" }).chat(model)),
};

const price = tool({
  name: "price",
  description: "Looks up a price.",
  input: { thing: z.string().describe("What costs.") },
  run: ({ thing }) => {
    if (thing === "gold") throw new Error("gold is not for sale");
    return `${thing.length} crowns`;
  },
});

const shop = program({
  name: "shop",
  version: "1",
  input: { question: text("question") },
  output: { answer: text("answer") },
  predictors: {
    clerk: agent({
      signature: signature({
        name: "clerk",
        instruction: "Answer.",
        input: { question: text("question") },
        output: { answer: text("answer") },
      }),
      tools: [price],
      maxSteps: 3,
    }),
  },
  forward: async ({ question }, { predictors }) => predictors.clerk({ question }),
});

describe.each(Object.entries(providers))("an agent behind %s", (_, open) => {
  it.each([false, true])("calls tools, several at once; streamed: %s", async (isStreamed) => {
    await using server = await scriptedLm(({ messages }) => {
      const results = messages.filter(({ role }) => role === "tool");
      if (results.length === 0) {
        return {
          content: "I look up both.",
          toolCalls: [
            ["price", { thing: "tin" }],
            ["price", { thing: "gold" }],
          ],
        };
      }
      if (results.length === 2) return { toolCalls: [["price", { thing: "zinc" }]] };
      return JSON.stringify({ answer: results.map(({ content }) => content).join("; ") });
    });
    const heard: LmDelta[] = [];
    const onDelta = (_path: string, delta: LmDelta): void => void heard.push(delta);
    const attempt = await shop.attempt(
      { question: "Which?" },
      { lm: open(server.url), ...(isStreamed && { onDelta }) },
    );
    if (attempt.state === "failed") throw attempt.error;
    expect(attempt.output).toEqual({
      answer: "3 crowns; Error: gold is not for sale; 4 crowns",
    });
    const [node] = attempt.trace.children;
    expect(node?.kind === "predictor" && node.tools?.map(({ path }) => path)).toEqual([
      "clerk/price[1.1]",
      "clerk/price[1.2]",
      "clerk/price[2.1]",
    ]);
    const [first, , last] = server.received;
    expect(server.received.map(({ stream }) => stream === true)).toEqual(
      Array.from({ length: 3 }, () => isStreamed),
    );
    expect(first).toMatchObject({
      tool_choice: "auto",
      tools: [
        {
          type: "function",
          function: {
            name: "price",
            description: "Looks up a price.",
            parameters: {
              type: "object",
              properties: { thing: { type: "string", description: "What costs." } },
              required: ["thing"],
            },
          },
        },
      ],
    });
    expect(last?.messages.slice(2)).toMatchObject([
      {
        role: "assistant",
        content: "I look up both.",
        tool_calls: [
          { id: "call00101", function: { name: "price", arguments: '{"thing":"tin"}' } },
          { id: "call00102", function: { name: "price", arguments: '{"thing":"gold"}' } },
        ],
      },
      { role: "tool", tool_call_id: "call00101", content: "3 crowns" },
      { role: "tool", tool_call_id: "call00102", content: "Error: gold is not for sale" },
      { role: "assistant", tool_calls: [{ id: "call00201" }] },
      { role: "tool", tool_call_id: "call00201", content: "4 crowns" },
    ]);
    const said = heard.map(({ content = "" }) => content).join("");
    expect(said.includes('{"answer":"3 crowns')).toBe(isStreamed);
  });

  it("asks for the outputs without calls after the last step, whatever was called", async () => {
    await using server = await scriptedLm(({ tool_choice: choice }) =>
      choice === "none"
        ? JSON.stringify({ answer: "enough" })
        : { toolCalls: [["price", '{"thing": ']] },
    );
    const answer = await shop.run({ question: "Which?" }, { lm: open(server.url) });
    expect(answer).toEqual({ answer: "enough" });
    expect(server.received).toHaveLength(4);
    const last = server.received.at(-1);
    expect(last?.messages.at(-2)?.content).toBe("Error: the arguments are not a JSON object");
    expect(last?.response_format).toMatchObject({ json_schema: { name: "clerk" } });
  });
});

const request: LmRequest = {
  messages: [{ role: "user", content: "hi" }],
  sampling: defaultSampling,
  seed: 1,
  tools: [{ name: "price", description: "Looks up.", parameters: { type: "object" } }],
  toolChoice: "required",
};
const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};
const finish = { finishReason: { unified: "tool-calls", raw: undefined }, usage } as const;
const call = { type: "tool-call", toolCallId: "a", toolName: "price", input: "{}" } as const;
/** Made by the provider, which also has its result. */
const own = { ...call, toolCallId: "b", toolName: "web_search", providerExecuted: true } as const;

it("leaves calls alone that the provider makes itself, whole and streamed", async () => {
  const mock = new MockLanguageModelV4({
    doGenerate: { content: [own, call], warnings: [], ...finish },
    doStream: {
      stream: new ReadableStream({
        start: (parts) => {
          parts.enqueue({ type: "stream-start", warnings: [] });
          for (const part of [own, call]) parts.enqueue(part);
          parts.enqueue({ type: "finish", ...finish });
          parts.close();
        },
      }),
    },
  });
  const lm = fromAiSdk(mock);
  for (const options of [{}, { onDelta: () => undefined }]) {
    const reply = await lm.doGenerate(request, options);
    expect(reply.toolCalls).toEqual([{ id: "a", name: "price", arguments: "{}" }]);
    expect(reply.finishReason).toBe("tool-calls");
  }
  expect(mock.doGenerateCalls[0]?.toolChoice).toEqual({ type: "required" });
});
