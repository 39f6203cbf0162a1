import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, Output, streamText, tool } from "ai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { ServedPrograms } from "./served-programs.ts";
import { extracted, servedPrograms } from "./served-programs.ts";

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
  test("an answer, with its usage", async () => {
    const { text, usage, finishReason } = await generateText({
      model: provider()("towns/answerer"),
      prompt: "Where?",
      maxRetries: 0,
    });
    expect({ text, finishReason }).toEqual({
      text: "There, at the river [1].",
      finishReason: "stop",
    });
    expect(usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
  });

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
    expect(text).toBe("There, at the river [1].");
    expect(reasoning.replaceAll("\n", "")).toBe("ThinkingWriting");
    expect(await stream.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
    expect(sources).toEqual(name === "openai" ? ["https://a.example/1"] : []);
  });

  test("a program's fields as an object", async () => {
    const { vendor, total, items } = extracted;
    const schema = z.object({
      vendor: z.string(),
      total: z.number(),
      items: z.array(z.object({ name: z.string(), count: z.int() })),
    });
    const { output } = await generateText({
      model: provider()("invoices"),
      prompt: "Flour, 2 sacks",
      output: Output.object({ schema }),
      maxRetries: 0,
    });
    expect(output).toEqual({ vendor, total, items });
  });

  test("tools are refused with the reason", async () => {
    const lookUp = tool({ inputSchema: z.object({ name: z.string() }), execute: () => "" });
    await expect(
      generateText({
        model: provider()("at-once"),
        prompt: "Where?",
        tools: { lookUp },
        maxRetries: 0,
      }),
    ).rejects.toThrow(/`tools` is not supported/);
  });
});
