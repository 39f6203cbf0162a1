import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Tool, Trace } from "espalier";
import { agent, program, signature, text, tool } from "espalier";
import type { ScriptedReply } from "../../support/scripted-lm.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";

const priceOf = signature({
  name: "price-of",
  instruction: "Say what the thing costs.",
  input: { question: text("question") },
  output: { answer: text("answer"), cents: z.int().min(0).describe("The price in cents.") },
});

function shop(options: { readonly asked?: string[]; readonly tools?: readonly Tool[] } = {}) {
  const { asked = [], tools = [] } = options;
  const price = tool({
    name: "price",
    description: "Looks up the price of one thing.",
    input: { thing: z.string().describe("Its name.") },
    output: z.object({ cents: z.int() }),
    run: ({ thing }) => {
      asked.push(thing);
      if (thing === "gold") throw new Error("gold is not sold here");
      return { cents: thing.length * 100 };
    },
  });
  return [price, ...tools] as const;
}

const over = (tools: readonly Tool[], rest: object = {}) =>
  program({
    name: "shop",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer"), cents: z.int() },
    predictors: { clerk: agent({ signature: priceOf, tools, ...rest }) },
    forward: async ({ question }, { predictors }) => predictors.clerk({ question }),
  });

const calling = (...toolCalls: [string, object | string][]): ScriptedReply => ({ toolCalls });
const answered = '{"answer":"It costs 3.00.","cents":300}';
const inTurn =
  (...replies: readonly ScriptedReply[]) =>
  (...[, index]: readonly [unknown, number]): ScriptedReply =>
    replies[index] ?? answered;

const toolsIn = ({ children: [first] }: Trace) =>
  (first?.kind === "predictor" ? (first.tools ?? []) : []).map((node) => {
    const { startMs, latencyMs, ...rest } = node;
    expect(startMs + latencyMs).toBeGreaterThanOrEqual(0);
    return rest;
  });

describe("an agent", () => {
  it("calls tools at the same time, shows their results, and returns typed outputs", async () => {
    const asked: string[] = [];
    await using server = await scriptedLm(
      inTurn(calling(["price", { thing: "tin" }], ["price", { thing: "gold" }])),
    );
    const ended = await over(shop({ asked })).attempt({ question: "Tin?" }, server);
    expect(ended).toMatchObject({ state: "completed", output: { cents: 300 } });
    expect(asked).toEqual(["tin", "gold"]);
    expect(toolsIn(ended.trace)).toMatchInlineSnapshot(`
      [
        {
          "input": {
            "thing": "tin",
          },
          "kind": "tool",
          "output": {
            "cents": 300,
          },
          "path": "clerk/price[1.1]",
          "source": "tool",
          "tool": "price",
        },
        {
          "error": "gold is not sold here",
          "input": {
            "thing": "gold",
          },
          "kind": "tool",
          "path": "clerk/price[1.2]",
          "source": "tool",
          "tool": "price",
        },
      ]
    `);
    expect(server.received.map(({ messages }) => messages.slice(2))).toMatchInlineSnapshot(`
      [
        [],
        [
          {
            "content": "",
            "role": "assistant",
            "tool_calls": [
              {
                "function": {
                  "arguments": "{"thing":"tin"}",
                  "name": "price",
                },
                "id": "call00101",
                "type": "function",
              },
              {
                "function": {
                  "arguments": "{"thing":"gold"}",
                  "name": "price",
                },
                "id": "call00102",
                "type": "function",
              },
            ],
          },
          {
            "content": "{"cents":300}",
            "role": "tool",
            "tool_call_id": "call00101",
          },
          {
            "content": "Error: gold is not sold here",
            "role": "tool",
            "tool_call_id": "call00102",
          },
        ],
      ]
    `);
    expect(server.received[0]).toMatchObject({
      tool_choice: "auto",
      tools: [
        {
          type: "function",
          function: {
            name: "price",
            description: "Looks up the price of one thing.",
            parameters: {
              properties: { thing: { type: "string", description: "Its name." } },
              required: ["thing"],
            },
          },
        },
      ],
    });
  });

  it("tells the model of unknown tools, broken arguments and wrong types, and goes on", async () => {
    await using server = await scriptedLm(
      inTurn(calling(["cost", {}], ["price", "{thing:"], ["price", { thing: 3 }])),
    );
    await over(shop()).run({ question: "Tin?" }, server);
    const told = server.received[1]?.messages.filter(({ role }) => role === "tool");
    expect(told?.map(({ content }) => content)).toEqual([
      "Error: there is no tool `cost`. Tools: price",
      "Error: the arguments are not a JSON object",
      expect.stringMatching(/^Error: The arguments are invalid: `thing`/),
    ]);
  });

  it.each([
    ["null", "{}"],
    ['{}{"thing":"tin"}', '{"thing":"tin"}'],
    [JSON.stringify('{"thing":"tin"}'), '{"thing":"tin"}'],
    ["{thing:", "{}"],
    ['{ "thing": "tin" }', '{ "thing": "tin" }'],
  ])(
    "gives the server the arguments %s back as an object, which it reads",
    async (written, read) => {
      await using server = await scriptedLm(inTurn(calling(["price", written])));
      await over(shop()).run({ question: "Tin?" }, server);
      expect(server.received[1]?.messages.at(-2)).toMatchObject({
        tool_calls: [{ function: { name: "price", arguments: read } }],
      });
    },
  );

  it("asks for the outputs with a schema and without calls after its last step", async () => {
    await using server = await scriptedLm(({ tool_choice: choice }) =>
      choice === "none" ? answered : calling(["price", { thing: "tin" }]),
    );
    await over(shop(), { maxSteps: 2 }).run({ question: "Tin?" }, server);
    expect(server.received).toHaveLength(3);
    expect(server.received[2]).toMatchObject({
      tool_choice: "none",
      response_format: { json_schema: { name: "price-of" } },
    });
  });

  it("never makes more calls than its limit, whatever the model asks for", async () => {
    const asked: string[] = [];
    await using server = await scriptedLm(({ tool_choice: choice }) =>
      choice === "none"
        ? answered
        : calling(...["a", "b", "c", "d"].map((thing) => ["price", { thing }] as [string, object])),
    );
    await over(shop({ asked }), { maxSteps: 5, maxToolCalls: 6 }).run({ question: "All?" }, server);
    expect(asked).toEqual(["a", "b", "c", "d", "a", "b"]);
    expect(server.received).toHaveLength(3);
  });

  it("corrects unusable outputs once", async () => {
    await using server = await scriptedLm(inTurn("It costs three."));
    await expect(over(shop()).run({ question: "Tin?" }, server)).resolves.toMatchObject({
      cents: 300,
    });
    expect(server.received[1]?.messages.at(-1)?.content).toContain("could not be used");
  });

  it("asks for calls as JSON where the server has no tool calls", async () => {
    await using server = await scriptedLm(
      inTurn(
        '{"thought":"Look.","calls":[{"tool":"price","input":{"thing":"tin"}}]}',
        '{"thought":"Done.","calls":[]}',
      ),
    );
    const out = await over(shop(), { calls: "json" }).run({ question: "Tin?" }, server);
    expect(out.cents).toBe(300);
    expect(server.received.map(({ tools }) => tools)).toEqual([undefined, undefined, undefined]);
    expect(server.received[1]?.messages.at(-1)?.content).toBe('Result of price:\n{"cents":300}');
    expect(server.received.map((each) => each.response_format?.json_schema.name)).toEqual([
      "price-of-step",
      "price-of-step",
      "price-of",
    ]);
  });

  it("shows the descriptions that a candidate gives to its tools and their arguments", async () => {
    await using server = await scriptedLm(inTurn());
    const changed = over(shop()).with([
      { kind: "toolDescription", path: "clerk.price", value: "Knows every price." },
      { kind: "toolDescription", path: "clerk.price.thing", value: "One word." },
    ]);
    await changed.run({ question: "Tin?" }, server);
    expect(JSON.stringify(server.received[0]?.["tools"])).toMatch(/Knows every price.*One word/);
    expect(() =>
      changed.with([{ kind: "toolDescription", path: "clerk.cost", value: "x" }]),
    ).toThrow(/no toolDescription component "clerk.cost"/);
  });

  it("takes fewer steps where the program says so", async () => {
    await using server = await scriptedLm(({ tool_choice: choice }) =>
      choice === "none" ? answered : calling(["price", { thing: "tin" }]),
    );
    const hasty = program({
      name: "hasty",
      version: "1",
      input: { question: text("question") },
      output: { cents: z.int() },
      predictors: { clerk: agent({ signature: priceOf, tools: shop() }) },
      forward: async ({ question }, { predictors }) =>
        predictors.clerk({ question }, { maxSteps: 1 }),
    });
    await hasty.run({ question: "Tin?" }, server);
    expect(server.received).toHaveLength(2);
  });

  it("counts a tool that takes too long as failed, and aborts it", async () => {
    let aborted = false;
    const slow = tool({
      name: "slow",
      description: "Never ends.",
      input: {},
      timeoutMs: 20,
      run: (_, { signal }) =>
        new Promise<never>((__, reject) => {
          signal.addEventListener("abort", () => {
            aborted = true;
            reject(signal.reason as Error);
          });
        }),
    });
    await using server = await scriptedLm(inTurn(calling(["slow", {}])));
    const ended = await over(shop({ tools: [slow] })).attempt({ question: "Tin?" }, server);
    expect(toolsIn(ended.trace)[0]?.error).toBe("The tool gave no result within 20 ms");
    expect(aborted).toBe(true);
  });

  it("runs no tool with side effects where that is not allowed", async () => {
    const sold: string[] = [];
    const sell = (mock?: () => string) =>
      tool({
        name: "sell",
        description: "Sells a thing.",
        input: { thing: z.string() },
        hasSideEffects: true,
        run: ({ thing }) => {
          sold.push(thing);
          return "sold";
        },
        ...(mock && { mock }),
      });
    await using server = await scriptedLm(({ messages }) =>
      messages.length === 2 ? calling(["sell", { thing: "tin" }]) : answered,
    );
    const bare = over(shop({ tools: [sell()] }));
    const refused = await bare.attempt(
      { question: "Tin?" },
      { lm: server.lm, allowsSideEffects: false },
    );
    expect(refused).toMatchObject({ state: "failed", failure: { code: "tool-not-allowed" } });
    const shadow = await bare.attempt({ question: "Tin?" }, { lm: server.lm, role: "shadow" });
    expect(shadow).toMatchObject({ state: "failed", failure: { code: "tool-not-allowed" } });
    const rehearsed = over(shop({ tools: [sell(() => "would be sold")] }));
    const ended = await rehearsed.attempt(
      { question: "Tin?" },
      { lm: server.lm, allowsSideEffects: false },
    );
    expect(toolsIn(ended.trace)[0]?.output).toBe("would be sold");
    expect(sold).toEqual([]);
    await bare.run({ question: "Tin?" }, server);
    expect(sold).toEqual(["tin"]);
  });
});
