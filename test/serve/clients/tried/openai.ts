import OpenAI from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import type { Access, TriedClient } from "../features.ts";
import { asked, invoiceSchema, joined, refusedTools, statusOf, weather } from "../features.ts";

const clientOf = ({ baseUrl, apiKey }: Access): OpenAI =>
  new OpenAI({ baseURL: baseUrl, apiKey, maxRetries: 0 });
const said = (content: string) => [{ role: "user" as const, content }];
const { question, before, invoice, sign, redSign } = asked;
const earlier = [
  ...said(before.question),
  { role: "assistant" as const, content: before.answer },
  ...said(question),
];
const models = (client: OpenAI) => async () => {
  const listed: string[] = [];
  for await (const { id } of client.models.list()) listed.push(id);
  return { listed, retrieved: (await client.models.retrieve("towns/answerer")).id };
};

export function openaiChat(access: Access): TriedClient {
  const client = clientOf(access);
  const { completions } = client.chat;
  const { name, description, parameters } = weather;
  const tools = [{ type: "function" as const, function: { name, description, parameters } }];
  const ask = (model: string, messages: OpenAI.ChatCompletionMessageParam[]) =>
    completions.create({ model, messages });
  const format = zodResponseFormat(invoiceSchema, "invoice");
  const loop = async (
    next: (messages: OpenAI.ChatCompletionMessageParam[]) => Promise<OpenAI.ChatCompletion>,
  ) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = said(asked.weather);
    const calls: unknown[] = [];
    for (;;) {
      const { choices } = await next(messages);
      const [{ message, finish_reason: reason }] = choices as [OpenAI.ChatCompletion.Choice];
      if (reason !== "tool_calls") return { calls, text: message.content };
      messages.push(message);
      for (const call of message.tool_calls ?? []) {
        if (call.type !== "function") throw new Error(call.type);
        const given = JSON.parse(call.function.arguments) as { town: string };
        calls.push(given);
        messages.push({ role: "tool", tool_call_id: call.id, content: weather.run(given) });
      }
    }
  };
  return {
    models: models(client),
    answer: async () => {
      const { choices, usage } = await ask("towns/answerer", said(question));
      const tokens = [usage?.prompt_tokens, usage?.completion_tokens];
      return { text: choices[0]?.message.content, tokens };
    },
    stream: async () => {
      const chunks = await completions.create({
        model: "towns/answerer",
        messages: said(question),
        stream: true,
      });
      return joined(
        (async function* () {
          for await (const { choices } of chunks) yield choices[0]?.delta.content ?? "";
        })(),
      );
    },
    conversation: async () => (await ask("towns/answerer", earlier)).choices[0]?.message.content,
    object: async () => {
      const { choices } = await completions.parse({
        model: "invoices",
        messages: said(invoice),
        response_format: format,
      });
      return choices[0]?.message.parsed;
    },
    streamedObject: async () => {
      const stream = completions.stream({
        model: "invoices",
        messages: said(invoice),
        response_format: format,
      });
      const { choices } = await stream.finalChatCompletion();
      return choices[0]?.message.parsed;
    },
    image: async () => {
      const content = [
        { type: "text" as const, text: sign },
        { type: "image_url" as const, image_url: { url: redSign } },
      ];
      return (await ask("signs", [{ role: "user", content }])).choices[0]?.message.content;
    },
    toolsRefused: () =>
      refusedTools(completions.create({ model: "at-once", messages: said(question), tools })),
    tools: () => loop((messages) => completions.create({ model: "reporter", messages, tools })),
    streamedTools: () =>
      loop((messages) =>
        completions.stream({ model: "reporter", messages, tools }).finalChatCompletion(),
      ),
    badKey: () =>
      statusOf(
        clientOf({ ...access, apiKey: "wrong" }).chat.completions.create({
          model: "at-once",
          messages: said(question),
        }),
        "status",
      ),
    unknownModel: () => statusOf(ask("nobody", said(question)), "status"),
  };
}

export function openaiResponses(access: Access): TriedClient {
  const client = clientOf(access);
  const { responses } = client;
  const { name, description, parameters } = weather;
  const tools = [{ type: "function" as const, name, description, parameters, strict: true }];
  const ask = (model: string, input: OpenAI.Responses.ResponseInput | string) =>
    responses.create({ model, input });
  const text = { format: zodTextFormat(invoiceSchema, "invoice") };
  const loop = async (
    next: (input: OpenAI.Responses.ResponseInput) => Promise<OpenAI.Responses.Response>,
  ) => {
    const input: OpenAI.Responses.ResponseInput = said(asked.weather);
    const calls: unknown[] = [];
    for (;;) {
      const response = await next(input);
      input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
      const made = response.output.filter((item) => item.type === "function_call");
      if (made.length === 0) return { calls, text: response.output_text };
      for (const call of made) {
        const given = JSON.parse(call.arguments) as { town: string };
        calls.push(given);
        const output = weather.run(given);
        input.push({ type: "function_call_output", call_id: call.call_id, output });
      }
    }
  };
  return {
    models: models(client),
    answer: async () => {
      const { output_text: answer, usage } = await ask("towns/answerer", question);
      return { text: answer, tokens: [usage?.input_tokens, usage?.output_tokens] };
    },
    stream: async () => {
      const stream = responses.stream({ model: "towns/answerer", input: question });
      return joined(
        (async function* () {
          for await (const event of stream) {
            if (event.type === "response.output_text.delta") yield event.delta;
          }
        })(),
      );
    },
    conversation: async () => (await ask("towns/answerer", earlier)).output_text,
    object: async () =>
      (await responses.parse({ model: "invoices", input: invoice, text })).output_parsed,
    streamedObject: async () => {
      const stream = responses.stream({ model: "invoices", input: invoice, text });
      return (await stream.finalResponse()).output_parsed;
    },
    image: async () => {
      const content = [
        { type: "input_text" as const, text: sign },
        { type: "input_image" as const, image_url: redSign, detail: "auto" as const },
      ];
      return (await ask("signs", [{ role: "user", content }])).output_text;
    },
    toolsRefused: () =>
      refusedTools(responses.create({ model: "at-once", input: question, tools })),
    tools: () => loop((input) => responses.create({ model: "reporter", input, tools })),
    streamedTools: () =>
      loop((input) => responses.stream({ model: "reporter", input, tools }).finalResponse()),
    badKey: () =>
      statusOf(
        clientOf({ ...access, apiKey: "wrong" }).responses.create({
          model: "at-once",
          input: question,
        }),
        "status",
      ),
    unknownModel: () => statusOf(ask("nobody", question), "status"),
  };
}
