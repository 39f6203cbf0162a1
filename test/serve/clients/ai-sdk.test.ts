import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ModelMessage } from "ai";
import { generateText, streamText, tool } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asked, weather } from "./features.ts";
import type { ServedPrograms } from "./served-programs.ts";
import { servedPrograms } from "./served-programs.ts";

let served: ServedPrograms;
beforeAll(async () => {
  served = await servedPrograms();
});
afterAll(async () => served[Symbol.asyncDispose]());

const providers = {
  // Uses /v1/responses by default.
  openai: () => createOpenAI({ baseURL: `${served.server.url}/v1`, apiKey: "none" }),
  "openai-compatible": () =>
    createOpenAICompatible({
      name: "towns",
      baseURL: `${served.server.url}/v1`,
      supportsStructuredOutputs: true,
      includeUsage: true,
    }),
};

describe.each(Object.entries(providers))("AI SDK, %s", (name, provider) => {
  test("a stream of steps and pieces, and sources over /v1/responses", async () => {
    const stream = streamText({
      model: provider()("towns/answerer"),
      messages: [
        { role: "user", content: "Tell me about Ostrel." },
        { role: "assistant", content: "It is a town." },
        { role: "user", content: "Where is it?" },
      ],
      maxRetries: 0,
    });
    let [text, reasoning] = ["", ""];
    const sources: string[] = [];
    for await (const part of stream.stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "text-delta") text += part.text;
      if (part.type === "reasoning-delta") reasoning += part.text;
      if (part.type === "source" && part.sourceType === "url") sources.push(part.url);
    }
    expect(text).toBe("As I said, a town [1].");
    expect(reasoning.replaceAll("\n", "")).toBe("ThinkingWriting");
    expect(await stream.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
    expect(sources).toEqual(name === "openai" ? ["https://a.example/1"] : []);
  });

  test("tools without `execute`: the caller makes the calls", async () => {
    const ask = (messages: ModelMessage[]) =>
      generateText({
        model: provider()("reporter"),
        tools: { weather: tool({ inputSchema: weather.schema }) },
        messages,
        maxRetries: 0,
      });
    const question: ModelMessage = { role: "user", content: asked.weather };
    const first = await ask([question]);
    expect(first.finishReason).toBe("tool-calls");
    expect(first.toolCalls.map(({ input }) => input)).toEqual([
      { town: "Ostrel" },
      { town: "Vessen" },
    ]);
    const results = first.toolCalls.map(({ toolCallId, toolName, input }) => ({
      type: "tool-result" as const,
      toolCallId,
      toolName,
      output: { type: "text" as const, value: weather.run(input as { readonly town: string }) },
    }));
    const { text } = await ask([
      question,
      ...first.response.messages,
      { role: "tool", content: results },
    ]);
    expect(text).toBe("There is rain and sun.");
  });
});

test("references to what a server would have kept are refused, and sent as texts without `store`", async () => {
  const model = providers.openai()("towns/answerer");
  const question: ModelMessage = { role: "user", content: asked.before.question };
  const first = await generateText({ model, messages: [question], maxRetries: 0 });
  const messages: ModelMessage[] = [
    question,
    ...first.response.messages,
    { role: "user", content: asked.question },
  ];
  await expect(generateText({ model, messages, maxRetries: 0 })).rejects.toThrow(
    /this server does not store responses.*`store: false`/,
  );
  const { text } = await generateText({
    model,
    messages,
    providerOptions: { openai: { store: false } },
    maxRetries: 0,
  });
  expect(text).toBe("There, at the river [1].");
  expect(JSON.stringify(served.lastRequest().messages)).toContain(first.text);
});
