import type { LanguageModel } from "ai";
import { generateText, isStepCount, Output, streamText, tool } from "ai";
import type { Access, TriedClient } from "../features.ts";
import { asked, invoiceSchema, joined, refusedTools, statusOf, weather } from "../features.ts";

export function aiSdk(
  access: Access,
  providerOf: (access: Access) => (model: string) => Exclude<LanguageModel, string>,
): TriedClient {
  const model = providerOf(access);
  const { question, before } = asked;
  const once = { maxRetries: 0 };
  const { description, schema } = weather;
  const looping = (calls: unknown[]) => ({
    model: model("reporter"),
    prompt: asked.weather,
    stopWhen: isStepCount(4),
    ...once,
    tools: {
      weather: tool({
        description,
        inputSchema: schema,
        execute: (given) => {
          calls.push(given);
          return weather.run(given);
        },
      }),
    },
  });
  const object = {
    prompt: asked.invoice,
    output: Output.object({ schema: invoiceSchema }),
    ...once,
  };
  return {
    models: null,
    answer: async () => {
      const { text, usage } = await generateText({
        model: model("towns/answerer"),
        prompt: question,
        ...once,
      });
      return { text, tokens: [usage.inputTokens, usage.outputTokens] };
    },
    stream: () => {
      const given = { model: model("towns/answerer"), prompt: question, ...once };
      return joined(streamText(given).textStream);
    },
    conversation: async () => {
      const { text } = await generateText({
        model: model("towns/answerer"),
        messages: [
          { role: "user", content: before.question },
          { role: "assistant", content: before.answer },
          { role: "user", content: question },
        ],
        ...once,
      });
      return text;
    },
    object: async () => (await generateText({ model: model("invoices"), ...object })).output,
    streamedObject: async () => {
      return await streamText({ model: model("invoices"), ...object }).output;
    },
    image: async () => {
      const { text } = await generateText({
        model: model("signs"),
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: asked.sign },
              { type: "file", mediaType: "image/png", data: asked.redSign },
            ],
          },
        ],
        ...once,
      });
      return text;
    },
    toolsRefused: () =>
      refusedTools(generateText({ ...looping([]), model: model("at-once"), prompt: question })),
    tools: async () => {
      const calls: unknown[] = [];
      const { text } = await generateText(looping(calls));
      return { calls, text };
    },
    streamedTools: async () => {
      const calls: unknown[] = [];
      const text = await streamText(looping(calls)).text;
      return { calls, text };
    },
    badKey: () =>
      statusOf(
        generateText({
          model: providerOf({ ...access, apiKey: "wrong" })("at-once"),
          prompt: question,
          ...once,
        }),
        "statusCode",
      ),
    unknownModel: () =>
      statusOf(generateText({ model: model("nobody"), prompt: question, ...once }), "statusCode"),
  };
}
