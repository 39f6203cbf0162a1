import OpenAI from "openai";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { clientOf } from "../served.ts";
import type { ServedPrograms } from "./served-programs.ts";
import { extracted, servedPrograms } from "./served-programs.ts";

let served: ServedPrograms;
let client: OpenAI;
beforeAll(async () => {
  served = await servedPrograms();
  client = clientOf(served.server);
});
afterAll(async () => served[Symbol.asyncDispose]());

const asked = (content: string) => [{ role: "user" as const, content }];
const invoiceSchema = z.object({
  vendor: z.string(),
  total: z.number(),
  items: z.array(z.object({ name: z.string(), count: z.int() })),
});

test("a model is retrieved by its id, slashes included", async () => {
  expect(await client.models.retrieve("towns/answerer")).toMatchObject({
    id: "towns/answerer",
    object: "model",
  });
  await expect(client.models.retrieve("nobody")).rejects.toMatchObject({
    status: 404,
    code: "model_not_found",
    message: expect.stringContaining(
      "`towns/answerer`, `at-once`, `invoices`, `comparer`, `reporter`, `signs`",
    ) as string,
  });
});

test("an unknown route names itself and those that there are", async () => {
  await expect(client.embeddings.create({ model: "at-once", input: "x" })).rejects.toMatchObject({
    status: 404,
    code: "route_not_found",
    message: expect.stringMatching(
      /no route POST \/v1\/embeddings\. The routes are .*GET \/v1\/models\/\{id\}, POST \/v1\/chat/,
    ) as string,
  });
});

test("a response holds the answer, its sources where it cites them, and the usage", async () => {
  const response = await client.responses.create({ model: "towns/answerer", input: "Where?" });
  expect(response.output_text).toBe("There, at the river [1].");
  expect(response).toMatchObject({
    status: "completed",
    model: "towns/answerer",
    output: [
      {
        type: "message",
        content: [
          {
            annotations: [
              {
                type: "url_citation",
                url: "https://a.example/1",
                title: "Ostrel",
                start_index: 20,
                end_index: 23,
              },
            ],
          },
        ],
      },
    ],
    usage: { input_tokens: 20, output_tokens: 10, total_tokens: 30 },
    metadata: { lm_calls: "2", version: "declared", ignored_messages: "0" },
  });
});

test("a conversation of items is the history; instructions and calls of tools are ignored", async () => {
  const response = await client.responses.create({
    model: "towns/answerer",
    instructions: "Talk like a pirate.",
    input: [
      { role: "user", content: "Tell me about Ostrel." },
      { role: "assistant", content: "It is a town." },
      { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
      { role: "user", content: [{ type: "input_text", text: "Where is it?" }] },
    ],
  });
  expect(response.metadata).toMatchObject({ ignored_messages: "2" });
});

test("a streamed response tells its steps, then the answer, then the whole", async () => {
  const stream = client.responses.stream({ model: "towns/answerer", input: "Where?" });
  const kinds: string[] = [];
  let [text, steps] = ["", ""];
  for await (const event of stream) {
    if (kinds.at(-1) !== event.type) kinds.push(event.type);
    if (event.type === "response.output_text.delta") text += event.delta;
    if (event.type === "response.reasoning_summary_text.done") steps += `${event.text};`;
  }
  expect({ text, steps }).toEqual({ text: "There, at the river [1].", steps: "Thinking;Writing;" });
  expect(kinds.slice(0, 3)).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
  ]);
  expect(kinds.slice(-5)).toEqual([
    "response.output_text.annotation.added",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  const whole = await stream.finalResponse();
  expect(whole.output_text).toBe(text);
  expect(whole.output.map(({ type }) => type)).toEqual(["reasoning", "message"]);
});

test("a response cannot follow on one that the server did not keep", async () => {
  await expect(
    client.responses.create({ model: "at-once", input: "Where?", previous_response_id: "resp_1" }),
  ).rejects.toMatchObject({
    status: 400,
    param: "previous_response_id",
    message: expect.stringContaining("send the whole conversation as `input`") as string,
  });
});

test("a program with fields gives them as the client's schema wants them", async () => {
  const { vendor, total, items } = extracted;
  const parsed = await client.chat.completions.parse({
    model: "invoices",
    messages: asked("Flour, 2 sacks"),
    response_format: zodResponseFormat(invoiceSchema, "invoice"),
  });
  expect(parsed.choices[0]?.message.parsed).toEqual({ vendor, total, items });
  const response = await client.responses.parse({
    model: "invoices",
    input: "Flour, 2 sacks",
    text: { format: zodTextFormat(invoiceSchema, "invoice") },
  });
  expect(response.output_parsed).toEqual({ vendor, total, items });
});

test("a program that answers in words gives its fields too, where JSON is asked for", async () => {
  const stream = client.chat.completions.stream({
    model: "comparer",
    messages: asked('{"one":"a","other":"a"}'),
    response_format: zodResponseFormat(z.object({ answer: z.string() }), "answer"),
  });
  const { choices } = await stream.finalChatCompletion();
  expect(choices[0]?.message.parsed).toEqual({ answer: "Equal [1]." });
  const object = await client.chat.completions.create({
    model: "comparer",
    messages: asked('{"one":"a","other":"b"}'),
    response_format: { type: "json_object" },
  });
  expect(JSON.parse(object.choices[0]?.message.content ?? "")).toMatchObject({
    answer: "Unequal [1].",
    passages: [{ id: "p1" }],
  });
});

test("outputs are streamed as JSON at their end, and parse to the same object", async () => {
  const { vendor, total, items } = extracted;
  const format = zodResponseFormat(invoiceSchema, "invoice");
  const stream = client.chat.completions.stream({
    model: "invoices",
    messages: asked("Flour, 2 sacks"),
    response_format: format,
  });
  const { choices } = await stream.finalChatCompletion();
  expect(choices[0]?.message.parsed).toEqual({ vendor, total, items });
  expect(choices[0]?.message.content).toBe(JSON.stringify({ vendor, total, items }));

  const responses = client.responses.stream({
    model: "invoices",
    input: "Flour, 2 sacks",
    text: { format: zodTextFormat(invoiceSchema, "invoice") },
  });
  const whole = await responses.finalResponse();
  expect(whole.output_parsed).toEqual({ vendor, total, items });
});

test("a schema that a program's output may not match is refused before the LM is asked", async () => {
  const before = served.lmCalls();
  const create = (schema: z.ZodType) =>
    client.chat.completions.create({
      model: "invoices",
      messages: asked("Flour"),
      response_format: zodResponseFormat(schema, "invoice"),
    });
  const refused = async (schema: z.ZodType): Promise<string> =>
    create(schema).then(
      () => "taken",
      (error: unknown) => {
        if (!(error instanceof OpenAI.APIError)) throw error;
        return `${error.status} ${error.param}: ${error.message}`;
      },
    );
  expect(await refused(z.object({ colour: z.string() }))).toBe(
    "400 response_format: 400 `response_format`: this model cannot answer in this format: $: the model returns no `colour`, but `vendor`, `total`, `items`, `note`.",
  );
  expect(await refused(z.object({ total: z.string() }))).toContain(
    "$.total: the model returns number, not string",
  );
  expect(await refused(z.object({ vendor: z.enum(["a", "b"]) }))).toContain(
    '$.vendor: the model\'s values are not limited to "a", "b"',
  );
  expect(served.lmCalls()).toBe(before);
});

test("the message of a program with several fields is their JSON, and says so if it is not", async () => {
  const reply = await client.chat.completions.create({
    model: "comparer",
    messages: asked('{"one":"a","other":"b"}'),
  });
  expect(reply.choices[0]?.message).toMatchObject({
    content: "Unequal [1].",
    citations: ["https://a.example/1"],
  });
  await expect(
    client.chat.completions.create({ model: "comparer", messages: asked("Which is longer?") }),
  ).rejects.toMatchObject({
    status: 400,
    code: "input_invalid",
    message: expect.stringContaining("which takes `one`, `other` as JSON") as string,
  });
});

test("tools, images and tasks of an interface are refused with the reason, without a call", async () => {
  const before = served.lmCalls();
  const tool = { type: "function" as const, function: { name: "f", parameters: {} } };
  await expect(
    client.chat.completions.create({ model: "at-once", messages: asked("Where?"), tools: [tool] }),
  ).rejects.toMatchObject({
    status: 400,
    param: "tools",
    message: expect.stringContaining("whose steps do not call the client's tools") as string,
  });
  const image = { type: "image_url" as const, image_url: { url: "https://a.example/x.png" } };
  await expect(
    client.chat.completions.create({
      model: "at-once",
      messages: [{ role: "user", content: [{ type: "text", text: "What is this?" }, image] }],
    }),
  ).rejects.toMatchObject({
    status: 400,
    param: "messages[0].content[1]",
    message: expect.stringContaining("reads only text, and this is `image_url`") as string,
  });
  // As Open WebUI asks for a title.
  const task =
    "### Task:\nGenerate a concise title.\n### Chat History:\n<chat_history>\nUSER: Hi\n</chat_history>";
  await expect(
    client.chat.completions.create({ model: "at-once", messages: asked(task) }),
  ).rejects.toMatchObject({ status: 400, code: "interface_task" });
  expect(served.lmCalls()).toBe(before);
});
