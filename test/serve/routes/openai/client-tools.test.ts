import type OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { weather } from "../../clients/features.ts";
import type { ServedPrograms } from "../../clients/served-programs.ts";
import { servedPrograms } from "../../clients/served-programs.ts";
import { clientOf } from "../../served.ts";

let served: ServedPrograms;
let client: OpenAI;
const log: Record<string, unknown>[] = [];
beforeAll(async () => {
  served = await servedPrograms({
    log: (line) => log.push(JSON.parse(line) as Record<string, unknown>),
  });
  client = clientOf(served.server);
});
afterAll(async () => served[Symbol.asyncDispose]());

const { name, description, parameters } = weather;
const tool = { type: "function" as const, function: { name, description, parameters } };
type Message = OpenAI.ChatCompletionMessageParam;
const question: Message = { role: "user", content: "How is the weather in Ostrel and Vessen?" };
const call = (id: string, town: string) => ({
  id,
  type: "function" as const,
  function: { name, arguments: JSON.stringify({ town }) },
});
const called = (...towns: readonly string[]): Message => ({
  role: "assistant",
  content: null,
  tool_calls: towns.map((town) => call(town, town)),
});
const result = (id: string, content = "rain"): Message => ({
  role: "tool",
  tool_call_id: id,
  content,
});
const create = (
  messages: readonly Message[],
  options: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {},
) =>
  client.chat.completions.create({
    model: "reporter",
    messages: [...messages],
    tools: [tool],
    ...options,
  });
const refused = async (...given: Parameters<typeof create>): Promise<string> => {
  const before = served.lmCalls();
  try {
    await create(...given);
  } catch (error) {
    expect(served.lmCalls()).toBe(before);
    return (error as Error).message;
  }
  throw new Error("It was taken.");
};

test("calls are the reply, with ids of their own, and its tools are shown to the LM", async () => {
  const replies = await Promise.all([create([question]), create([question])]);
  const [first] = replies;
  expect(first).toMatchObject({
    choices: [
      {
        finish_reason: "tool_calls",
        message: {
          content: null,
          tool_calls: [
            { type: "function", function: { name, arguments: '{"town":"Ostrel"}' } },
            { type: "function", function: { name, arguments: '{"town":"Vessen"}' } },
          ],
        },
      },
    ],
    usage: { total_tokens: 15 },
    metadata: { lm_calls: 1, ignored_messages: 0 },
  });
  const ids = replies.flatMap(({ choices }) =>
    (choices[0]?.message.tool_calls ?? []).map(({ id }) => id),
  );
  expect(new Set(ids).size).toBe(4);
  expect(served.lastRequest().tools).toMatchObject([
    { function: { name: "towns" } },
    { function: { name, description, parameters } },
  ]);
  expect(log.findLast(({ event }) => event === "chat")).toMatchObject({
    status: 200,
    clientCalls: 2,
    lmCalls: 1,
  });
});

test("the program makes its own calls in the same request", async () => {
  const before = served.lmCalls();
  const reply = await create([{ role: "user", content: "How is the weather at the Anser?" }]);
  expect(reply.choices[0]?.message.tool_calls).toHaveLength(2);
  expect(served.lmCalls()).toBe(before + 2);
});

test("a stream ends with the calls", async () => {
  const stream = await client.chat.completions.create({
    model: "reporter",
    messages: [question],
    tools: [tool],
    stream: true,
    stream_options: { include_usage: true },
  });
  const choices: unknown[] = [];
  for await (const chunk of stream) {
    const choice = chunk.choices[0];
    choices.push(choice ? [choice.delta, choice.finish_reason] : chunk.usage?.total_tokens);
  }
  const id = expect.stringMatching(/^call_/) as unknown;
  expect(choices).toEqual([
    [{ role: "assistant", content: "" }, null],
    [{ reasoning_content: "Asking around\n" }, null],
    [{ tool_calls: [{ ...call("", "Ostrel"), id, index: 0 }] }, null],
    [{ tool_calls: [{ ...call("", "Vessen"), id, index: 1 }] }, null],
    [{ metadata: expect.objectContaining({ lm_calls: 1 }) as unknown }, null],
    [{}, "tool_calls"],
    15,
  ]);
});

test("a streamed response has an item for each call, after the steps", async () => {
  const stream = client.responses.stream({
    model: "reporter",
    input: "How is the weather in Ostrel?",
    tools: [{ type: "function", name, description, parameters, strict: true }],
  });
  const types: string[] = [];
  for await (const { type } of stream) types.push(type);
  expect(types.slice(types.indexOf("response.reasoning_summary_part.done"))).toEqual([
    "response.reasoning_summary_part.done",
    "response.output_item.done",
    "response.output_item.added",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.output_item.done",
    "response.completed",
  ]);
  const response = await stream.finalResponse();
  expect(response).toMatchObject({
    status: "completed",
    output: [
      { type: "reasoning" },
      { type: "function_call", status: "completed", name, arguments: '{"town":"Ostrel"}' },
    ],
    tool_choice: "auto",
    tools: [{ type: "function", name }],
  });
});

test("the exchange after the question is shown to the LM, and other messages are not", async () => {
  const reply = await create([
    { role: "user", content: "Hello." },
    called("earlier"),
    result("earlier", "no weather"),
    question,
    called("Ostrel", "Vessen"),
    result("Vessen", "sun"),
    result("Ostrel", "rain"),
    { role: "assistant", content: "Well." },
  ]);
  expect(reply.choices[0]?.message.content).toBe("There is rain and sun.");
  expect(reply).toMatchObject({ metadata: { ignored_messages: 3 } });
  const { messages } = served.lastRequest();
  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "tool"]);
  expect(JSON.stringify(messages)).not.toContain("no weather");
});

test("an answer may have a format, after calls as without them", async () => {
  const format = {
    type: "json_schema" as const,
    json_schema: {
      name: "answer",
      schema: {
        type: "object",
        properties: { answer: { type: "string" } },
        required: ["answer"],
        additionalProperties: false,
      },
    },
  };
  const first = await create([question], { response_format: format });
  expect(first.choices[0]?.finish_reason).toBe("tool_calls");
  const last = await create([question, called("Ostrel"), result("Ostrel")], {
    response_format: format,
  });
  expect(last.choices[0]?.message.content).toBe('{"answer":"There is rain."}');
});

test("the agent's limits hold for the whole exchange", async () => {
  const steps = ["a", "b", "c", "d"].flatMap((id) => [called(id), result(id, "no sign of it")]);
  const reply = await create([question, ...steps]);
  expect(reply.choices[0]?.finish_reason).toBe("stop");
  expect(served.lastRequest().tool_choice).toBe("none");
});

test("a client may want no call, or one at a time, and no more", async () => {
  const none = await create([question], { tool_choice: "none" });
  expect(none.choices[0]?.message.content).toBe("I know of Ostrel and Vessen alone.");
  const single = await create([question], { parallel_tool_calls: false });
  expect(single.choices[0]?.message.tool_calls).toHaveLength(1);
  expect(await refused([question], { tool_choice: "required" })).toContain(
    "`tool_choice`: this server takes `auto` and `none`",
  );
  expect(
    await refused([question], { tool_choice: { type: "function", function: { name } } }),
  ).toContain("`tool_choice`");
});

test("tools that do not fit are refused", async () => {
  const named = (given: string) => ({ ...tool, function: { ...tool.function, name: given } });
  expect(await refused([question], { tools: [tool, named("towns")] })).toContain(
    "`tools[1]`: the program has a tool `towns` of its own",
  );
  expect(await refused([question], { tools: [tool, tool] })).toContain("two tools `weather`");
  expect(await refused([question], { tools: [named("a b")] })).toContain("expected a name");
  expect(
    await refused([question], { tools: [{ type: "custom", custom: { name: "x" } }] }),
  ).toContain("`tools[0].type`: expected a tool of type `function`");
  const many = Array.from({ length: 129 }, (_, index) => named(`t${index}`));
  expect(await refused([question], { tools: many })).toContain("at most 128 tools");
  const bare = await create([question], { tools: [{ type: "function", function: { name } }] });
  expect(bare.choices[0]?.finish_reason).toBe("tool_calls");
});

test("an exchange that is not whole is refused, naming the message", async () => {
  expect(await refused([question, called("a", "b"), result("a")])).toContain(
    "`messages[1].tool_calls[1]`: no tool message with its result follows",
  );
  expect(await refused([question, called("a"), result("b")])).toContain(
    "`messages[2].tool_call_id`: no earlier call has this id",
  );
  expect(await refused([question, result("a")])).toContain("`messages[1].tool_call_id`");
  const image = { type: "image_url", image_url: { url: "https://a.example/x.png" } };
  const seen = { ...result("a"), content: [image] } as unknown as Message;
  expect(await refused([question, called("a"), seen])).toContain("reads tool results as text");
  const broken = { role: "assistant", tool_calls: [{ id: "a" }] } as unknown as Message;
  expect(await refused([question, broken])).toContain("`messages[1].tool_calls[0].function`");
  const named = { id: "a", type: "function" as const, function: { name: "a b", arguments: "{}" } };
  expect(await refused([question, { role: "assistant", tool_calls: [named] }])).toContain(
    "`messages[1].tool_calls[0].function.name`: expected the name of a tool",
  );
});

test("a program that takes no tools refuses them, and reads no exchange", async () => {
  expect(await refused([question], { model: "at-once" })).toBe(
    "400 `tools` is not supported by the model `at-once`: it is a program whose steps do not call the client's tools. Leave out `tools`, or let an agent of the program take them (`clientTools: true`).",
  );
  const reply = await create([question, called("a")], { model: "at-once", tools: [] });
  expect(reply).toMatchObject({ metadata: { ignored_messages: 1 } });
});

test("a program that takes tools answers without any, and with an exchange alone", async () => {
  const without = await create([question], { tools: [] });
  expect(without.choices[0]?.message.content).toBe("I know of Ostrel and Vessen alone.");
  const alone = await create([question, called("Ostrel"), result("Ostrel")], { tools: [] });
  expect(alone.choices[0]?.message.content).not.toBe(null);
  expect(served.lastRequest().messages.at(-1)).toMatchObject({ role: "tool", content: "rain" });
});

test.each([
  ["null", null, "{}"],
  ["an object", { town: "Ostrel" }, '{"town":"Ostrel"}'],
])("arguments of an earlier call that are %s are taken too", async (_, given, read) => {
  const earlier = { ...call("a", "Ostrel"), function: { name, arguments: given as never } };
  const messages: Message[] = [
    question,
    { role: "assistant", content: null, tool_calls: [earlier] },
    result("a"),
  ];
  await create(messages);
  expect(JSON.stringify(served.lastRequest().messages)).toContain(
    JSON.stringify(read).slice(1, -1),
  );
});
