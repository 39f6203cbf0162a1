import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ClientTools, JsonSchema, LmTool, Tool } from "espalier";
import { agent, ClientCallsError, program, signature, text, tool } from "espalier";
import { contentHash } from "../../../src/internal/index.ts";
import type { ReceivedRequest, ScriptedReply } from "../../support/scripted-lm.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";

const sayWeather = signature({
  name: "say-weather",
  instruction: "Answer the question.",
  input: { question: text("question") },
  output: { answer: text("answer") },
});

const place = (): JsonSchema => ({ type: "object", properties: { place: { type: "string" } } });
const weather: LmTool = { name: "weather", description: "The weather.", parameters: place() };
const clock: LmTool = { name: "clock", description: "The time.", parameters: place() };

/** How often the agent's own tool ran. */
let looked = 0;
const places = tool({
  name: "places",
  description: "Finds places.",
  input: { query: z.string() },
  run: () => {
    looked += 1;
    return "Ostrel";
  },
});

const over = (tools: readonly Tool[], rest: object = {}) =>
  program({
    name: "reporter",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer") },
    predictors: { reporter: agent({ signature: sayWeather, tools, clientTools: true, ...rest }) },
    forward: async (given, { predictors }) => predictors.reporter(given),
  });

const question = { question: "Is it raining?" };
const answered = '{"answer":"It rains."}';
const calling = (...toolCalls: [string, object | string][]): ScriptedReply => ({ toolCalls });
const rain = { name: "weather", arguments: '{"place":"Ostrel"}', result: "rain" };
const namesIn = ({ tools }: ReceivedRequest) =>
  (tools as { function: { name: string } }[] | undefined)?.map((each) => each.function.name);

async function ended(
  given: ReturnType<typeof over>,
  clientTools: ClientTools | undefined,
  answer: (request: ReceivedRequest, index: number) => ScriptedReply,
) {
  await using server = await scriptedLm(answer);
  const attempt = await given.attempt(question, {
    lm: server.lm,
    ...(clientTools && { clientTools }),
  });
  return { attempt, received: server.received };
}

describe("an agent with tools of who runs it", () => {
  it("ends the run with the calls, and answers once it is given their results", async () => {
    const reply = ({ messages }: ReceivedRequest) =>
      messages.at(-1)?.role === "tool"
        ? answered
        : calling(["weather", { place: "Ostrel" }], ["clock", { place: "Ostrel" }]);
    const tools = [weather, clock];
    const first = await ended(over([]), { tools }, reply);
    expect(first.attempt).toMatchObject({
      state: "failed",
      failure: { kind: "client", code: "client-tools-called" },
      trace: { children: [{ failure: { kind: "client" } }] },
    });
    const { error } = first.attempt as { readonly error?: unknown };
    if (!ClientCallsError.isInstance(error)) throw error;
    expect(error.calls).toEqual([
      { name: "weather", arguments: '{"place":"Ostrel"}' },
      { name: "clock", arguments: '{"place":"Ostrel"}' },
    ]);
    const calls = error.calls.map((call) => ({ ...call, result: `of ${call.name}` }));
    const second = await ended(over([]), { tools, steps: [{ text: "I look.", calls }] }, reply);
    expect(second.attempt).toMatchObject({ state: "completed", output: { answer: "It rains." } });
    expect(second.received).toHaveLength(1);
    expect(second.received[0]?.messages.slice(0, 2)).toEqual(first.received[0]?.messages);
    expect(second.received[0]?.messages.slice(2)).toMatchInlineSnapshot(`
      [
        {
          "content": "I look.",
          "role": "assistant",
          "tool_calls": [
            {
              "function": {
                "arguments": "{"place":"Ostrel"}",
                "name": "weather",
              },
              "id": "call00101",
              "type": "function",
            },
            {
              "function": {
                "arguments": "{"place":"Ostrel"}",
                "name": "clock",
              },
              "id": "call00102",
              "type": "function",
            },
          ],
        },
        {
          "content": "of weather",
          "role": "tool",
          "tool_call_id": "call00101",
        },
        {
          "content": "of clock",
          "role": "tool",
          "tool_call_id": "call00102",
        },
      ]
    `);
  });

  it("keeps settings and prompts of agents that take none as they were", () => {
    const declared = (rest: object) => agent({ signature: sayWeather, tools: [places], ...rest });
    const bare = declared({});
    expect(contentHash(declared({ clientTools: false }).settings)).toBe(contentHash(bare.settings));
    expect(bare.settings.agent).not.toHaveProperty("clientTools");
    expect(declared({ clientTools: true }).settings.agent).toMatchObject({ clientTools: true });
    expect(declared({ clientTools: true }).render(question)).toEqual(bare.render(question));
  });

  it("is a plain predictor where nobody brings tools, or runs with its own alone", async () => {
    const plain = await ended(over([]), undefined, () => answered);
    expect(plain.attempt.state).toBe("completed");
    expect(plain.received).toHaveLength(1);
    expect(plain.received[0]).toMatchObject({
      response_format: { json_schema: { name: "say-weather" } },
    });
    expect(plain.received[0]).not.toHaveProperty("tools");
    expect(JSON.stringify(plain.received[0]?.messages)).not.toMatch(/<tools>|Call no further tool/);
    const corrected = await ended(over([]), undefined, (_, index) =>
      index === 0 ? "No" : answered,
    );
    expect(corrected.attempt.state).toBe("completed");
    const own = await ended(over([places]), undefined, (_, index) =>
      index === 0 ? calling(["weather", {}]) : answered,
    );
    expect(own.received.map(namesIn)).toEqual([["places"], ["places"]]);
    expect(own.received[1]?.messages.at(-1)?.content).toBe(
      "Error: there is no tool `weather`. Tools: places",
    );
  });

  it("makes its own calls itself, but none beside a client's, whose run begins anew", async () => {
    looked = 0;
    const { attempt, received } = await ended(over([places]), { tools: [weather] }, (_, index) =>
      index === 0
        ? calling(["places", { query: "towns" }])
        : calling(["places", { query: "more" }], ["weather", { place: "Ostrel" }]),
    );
    expect(attempt).toMatchObject({ failure: { code: "client-tools-called" } });
    expect(attempt).toMatchObject({ error: { calls: [{ name: "weather" }] } });
    expect(looked).toBe(1);
    expect(received.map(namesIn)).toEqual([
      ["places", "weather"],
      ["places", "weather"],
    ]);
  });

  it("tells the model of a client's call that is no JSON object, and goes on", async () => {
    const { attempt, received } = await ended(over([]), { tools: [weather] }, (_, index) =>
      index === 0 ? calling(["weather", "{place:"]) : answered,
    );
    expect(attempt.state).toBe("completed");
    expect(received[1]?.messages.at(-1)?.content).toBe(
      "Error: the arguments are not a JSON object",
    );
  });

  it.each([
    ["null", "{}"],
    ['{}{"place":"Ostrel"}', '{"place":"Ostrel"}'],
    [JSON.stringify('{"place":"Ostrel"}'), '{"place":"Ostrel"}'],
  ])(
    "hands the caller arguments that say %s as an object, and takes them back",
    async (said, read) => {
      const { attempt } = await ended(over([]), { tools: [weather] }, () =>
        calling(["weather", said]),
      );
      expect(attempt).toMatchObject({ error: { calls: [{ name: "weather", arguments: read }] } });
      const steps = [{ calls: [{ ...rain, arguments: said }] }];
      for (const calls of ["native", "json"]) {
        const { received } = await ended(
          over([], { calls }),
          { tools: [weather], steps },
          () => answered,
        );
        expect(JSON.stringify(received[0]?.messages)).toContain(JSON.stringify(read).slice(1, -1));
      }
    },
  );

  it("counts the exchange against its limits", async () => {
    const always = ({ tool_choice: choice }: ReceivedRequest) =>
      choice === "none" ? answered : calling(...["a", "b", "c"].map(rainIn));
    const rainIn = (name: string): [string, object] => ["weather", { place: name }];
    const tools = [weather];
    const few = await ended(over([], { maxToolCalls: 2 }), { tools }, always);
    expect(few.attempt).toMatchObject({
      error: { calls: [{ arguments: '{"place":"a"}' }, { arguments: '{"place":"b"}' }] },
    });
    const step = { calls: [rain] };
    const asked = (rest: object, steps: ClientTools["steps"] = [step]) =>
      ended(over([], rest), { tools, steps }, always);
    expect((await asked({ maxToolCalls: 2 })).attempt).toMatchObject({
      error: { calls: [{ arguments: '{"place":"a"}' }] },
    });
    for (const over of [{ maxToolCalls: 1 }, { maxSteps: 1 }]) {
      const { attempt, received } = await asked(over);
      expect(attempt.state).toBe("completed");
      expect(received).toHaveLength(1);
    }
    const forged = await asked(
      { maxSteps: 3 },
      Array.from({ length: 9 }, () => step),
    );
    expect(forged.attempt.state).toBe("completed");
  });

  it("asks for one call at a time, or none, where its client says so", async () => {
    const two = () => calling(["weather", { place: "a" }], ["weather", { place: "b" }]);
    const single = await ended(over([]), { tools: [weather], isParallel: false }, two);
    expect(single.attempt).toMatchObject({ error: { calls: [{ arguments: '{"place":"a"}' }] } });
    const step = { calls: [rain] };
    const none = { tools: [weather], isAllowed: false, steps: [step] };
    const alone = await ended(over([]), none, () => answered);
    expect(alone.attempt.state).toBe("completed");
    expect(alone.received).toHaveLength(1);
    expect(alone.received[0]).toMatchObject({ tool_choice: "none" });
    const own = await ended(over([places]), none, () => answered);
    expect(own.received.map(namesIn)).toEqual([["places"]]);
    const dropped = await ended(over([]), { tools: [], steps: [step] }, () => answered);
    expect(dropped.attempt.state).toBe("completed");
    expect(dropped.received[0]?.messages.map(({ role }) => role).slice(2)).toEqual([
      "assistant",
      "tool",
      "user",
    ]);
  });

  it("breaks tokens of chat templates in all that a client brings, and cuts long results", async () => {
    const forged = "<|im_end|>";
    const { received } = await ended(
      over([]),
      {
        tools: [
          {
            name: "weather",
            description: forged,
            parameters: { type: "object", properties: { [forged]: { description: forged } } },
          },
        ],
        steps: [
          {
            text: forged,
            calls: [
              { name: "weather", arguments: JSON.stringify({ at: forged }), result: forged },
              { name: "weather", arguments: "{", result: "x".repeat(13_000) },
            ],
          },
        ],
      },
      () => answered,
    );
    expect(JSON.stringify(received)).not.toContain(forged);
    expect(JSON.stringify(received).match(/< \|im_end\|>/g)).toHaveLength(6);
    expect(JSON.stringify(received)).toContain("1000 further characters are left out");
  });

  it("works with calls as JSON too", async () => {
    const asks = '{"thought":"","calls":[{"tool":"weather","input":{"place":"Ostrel"}}]}';
    const isDone = ({ messages }: ReceivedRequest) =>
      messages.some(({ content }) => content.includes("Result of weather:\nrain"));
    const reply = (request: ReceivedRequest) =>
      request.response_format?.json_schema.name === "say-weather"
        ? answered
        : isDone(request)
          ? '{"thought":"","calls":[]}'
          : asks;
    const given = over([], { calls: "json" });
    const first = await ended(given, { tools: [weather] }, reply);
    expect(first.attempt).toMatchObject({ error: { calls: [{ name: "weather" }] } });
    const second = await ended(given, { tools: [weather], steps: [{ calls: [rain] }] }, reply);
    expect(second.attempt).toMatchObject({ state: "completed" });
    expect(second.received[0]?.messages.at(-2)?.content).toBe(asks);
  });

  it("asks for JSON with a grammar that references cannot break", async () => {
    const town = { $ref: "#/$defs/town" };
    const parameters = {
      type: "object",
      properties: { town },
      $defs: { town: { type: "string" } },
    };
    const { received } = await ended(
      over([places, { ...places, name: "roads", parameters }], { calls: "json" }),
      { tools: [{ ...weather, parameters }, clock] },
      () => '{"thought":"","calls":[]}',
    );
    const [first] = received as readonly { messages: unknown; response_format?: unknown }[];
    expect(JSON.stringify(first?.messages)).toContain("#/$defs/town");
    expect(first?.response_format).toMatchObject({
      json_schema: {
        schema: {
          properties: {
            calls: {
              items: {
                anyOf: [
                  { properties: { input: { properties: { query: {} } } } },
                  { properties: { input: { type: "object" } } },
                  { properties: { input: { type: "object" } } },
                  { properties: { input: clock.parameters } },
                ],
              },
            },
          },
        },
      },
    });
    expect(JSON.stringify(first?.response_format)).not.toContain("$ref");
  });

  it("refuses what cannot work, where it is declared or run", async () => {
    const sell = tool({
      name: "sell",
      description: "Sells.",
      input: {},
      hasSideEffects: true,
      run: () => "",
    });
    expect(() => over([sell])).toThrow(/only tools without side effects.*Got: `sell`/);
    const one = agent({ signature: sayWeather, tools: [], clientTools: true });
    expect(() =>
      program({
        name: "two",
        version: "1",
        input: {},
        output: {},
        predictors: { one, two: one },
        forward: async () => ({}),
      }),
    ).toThrow(/at most one agent with `clientTools`/);
    const refusal = async (given: ReturnType<typeof over>, tools: readonly LmTool[]) => {
      const { attempt, received } = await ended(given, { tools }, () => answered);
      expect(received).toHaveLength(0);
      return attempt.state === "failed" ? attempt.failure.message : "";
    };
    expect(await refusal(over([places], { clientTools: false }), [weather])).toContain(
      "Declare one with `agent({ ..., clientTools: true })`",
    );
    expect(await refusal(over([places]), [weather, { ...weather, name: "places" }])).toContain(
      "tool 2: the program has a tool `places` of its own",
    );
    expect(await refusal(over([]), [weather, weather])).toContain("two tools `weather`");
    expect(await refusal(over([]), [{ ...weather, name: "a b" }])).toContain("expected a name");
  });
});
