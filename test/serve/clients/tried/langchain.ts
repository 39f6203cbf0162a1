import type { BaseMessage, UsageMetadata } from "@langchain/core/messages";
import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import type { Access, TriedClient } from "../features.ts";
import { asked, invoiceSchema, joined, refusedTools, statusOf, weather } from "../features.ts";

export function langchain(access: Access, useResponsesApi: boolean): TriedClient {
  const client = (model: string, apiKey = access.apiKey): ChatOpenAI =>
    new ChatOpenAI({
      model,
      useResponsesApi,
      apiKey,
      maxRetries: 0,
      configuration: { baseURL: access.baseUrl },
    });
  const { question, before } = asked;
  const { name, description, schema } = weather;
  const lookUp = tool(weather.run, { name, description, schema });
  const structured = () =>
    client("invoices").withStructuredOutput(invoiceSchema, {
      name: "invoice",
      method: "jsonSchema",
      strict: true,
    });
  const reporter = client("reporter").bindTools([lookUp]);
  const loop = async (next: (messages: BaseMessage[]) => Promise<AIMessage | AIMessageChunk>) => {
    const messages: BaseMessage[] = [new HumanMessage(asked.weather)];
    const calls: unknown[] = [];
    for (;;) {
      const reply = await next(messages);
      const made = reply.tool_calls ?? [];
      if (made.length === 0) return { calls, text: reply.text };
      messages.push(reply);
      for (const call of made) {
        calls.push(call.args);
        const result: unknown = await lookUp.invoke({ ...call, type: "tool_call" });
        if (!(result instanceof ToolMessage)) throw new Error("no message of a tool");
        messages.push(result);
      }
    }
  };
  return {
    models: null,
    answer: async () => {
      const reply = await client("towns/answerer").invoke(question);
      const usage = reply.usage_metadata as UsageMetadata | undefined;
      return { text: reply.text, tokens: [usage?.input_tokens, usage?.output_tokens] };
    },
    stream: async () => {
      const stream = await client("towns/answerer").stream(question);
      return joined(
        (async function* () {
          for await (const { text } of stream) yield text;
        })(),
      );
    },
    conversation: async () => {
      const reply = await client("towns/answerer").invoke([
        new HumanMessage(before.question),
        new AIMessage(before.answer),
        new HumanMessage(question),
      ]);
      return reply.text;
    },
    object: () => structured().invoke(asked.invoice),
    // LangChain parses an object once, at the end.
    streamedObject: async () => {
      let object: unknown;
      for await (const part of await structured().stream(asked.invoice)) object = part;
      return object;
    },
    image: async () => {
      const content = [
        { type: "text", text: asked.sign },
        { type: "image_url", image_url: { url: asked.redSign } },
      ];
      return (await client("signs").invoke([new HumanMessage({ content })])).text;
    },
    toolsRefused: () => refusedTools(client("at-once").bindTools([lookUp]).invoke(question)),
    tools: () => loop((messages) => reporter.invoke(messages)),
    streamedTools: () =>
      loop(async (messages) => {
        let whole: AIMessageChunk | undefined;
        for await (const part of await reporter.stream(messages)) {
          whole = whole === undefined ? part : whole.concat(part);
        }
        if (whole === undefined) throw new Error("an empty stream");
        return whole;
      }),
    badKey: () => statusOf(client("at-once", "wrong").invoke(question), "status"),
    unknownModel: () => statusOf(client("nobody").invoke(question), "status"),
  };
}
