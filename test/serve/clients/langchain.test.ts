import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { ServedPrograms } from "./served-programs.ts";
import { extracted, servedPrograms } from "./served-programs.ts";

let served: ServedPrograms;
beforeAll(async () => {
  served = await servedPrograms();
});
afterAll(async () => served[Symbol.asyncDispose]());

const client = (model: string, useResponsesApi: boolean): ChatOpenAI =>
  new ChatOpenAI({
    model,
    useResponsesApi,
    apiKey: "none",
    maxRetries: 0,
    configuration: { baseURL: `${served.server.url}/v1` },
  });

describe.each([
  ["chat completions", false],
  ["responses", true],
])("LangChain over %s", (_, useResponsesApi) => {
  test("an answer to a conversation, with its usage", async () => {
    const reply = await client("towns/answerer", useResponsesApi).invoke([
      new HumanMessage("Tell me about Ostrel."),
      new AIMessage("It is a town."),
      new HumanMessage("Where is it?"),
    ]);
    expect(reply.text).toBe("There, at the river [1].");
    expect(reply.usage_metadata).toMatchObject({ input_tokens: 20, output_tokens: 10 });
  });

  test("a stream of pieces", async () => {
    let text = "";
    const stream = await client("towns/answerer", useResponsesApi).stream("Where?");
    for await (const piece of stream) text += piece.text;
    expect(text).toBe("There, at the river [1].");
  });

  test("a program's fields as an object", async () => {
    const schema = z.object({ vendor: z.string(), total: z.number() });
    const structured = client("invoices", useResponsesApi).withStructuredOutput(schema, {
      name: "invoice",
      method: "jsonSchema",
      strict: true,
    });
    const { vendor, total } = extracted;
    expect(await structured.invoke("Flour, 2 sacks")).toEqual({ vendor, total });
  });
});
