import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Demonstration, LmMessage } from "espalier";
import { agent, program, signature, text, tool } from "espalier";
import { metric, scored } from "espalier/metric";
import type { Optimizer } from "espalier/optimizer";
import { bootstrapFewShot, miproV2, optimize } from "espalier/optimizer";
import { trainset } from "espalier/trainset";
import { componentSchema } from "../../../src/program/component-schema.ts";
import { scriptedLm } from "../../support/scripted-lm.ts";
import { writtenAs } from "./support/written-as.ts";

const price = tool({
  name: "price",
  description: "Looks up a price.",
  input: { thing: z.string() },
  run: ({ thing }) => `${thing.length} crowns`,
});

const shop = (calls: "native" | "json" = "native", demos: readonly Demonstration[] = []) =>
  program({
    name: "shop",
    version: "1",
    input: { question: text("question") },
    output: { answer: text("answer") },
    predictors: {
      clerk: agent({
        signature: signature({
          name: "clerk",
          instruction: "Answer.",
          input: { question: text("question") },
          output: { answer: text("answer") },
        }),
        tools: [price],
        calls,
        demos,
      }),
    },
    forward: async ({ question }, { predictors }) => predictors.clerk({ question }),
  });

const demonstration: Demonstration = {
  exampleId: "t1",
  inputs: { question: "Tin?" },
  steps: [
    {
      thought: "I look up both.",
      calls: [
        { tool: "price", input: { thing: "tin" }, result: "3 crowns" },
        { tool: "price", input: { thing: "zinc" }, result: "4 crowns" },
      ],
    },
  ],
  outputs: { answer: "3" },
};

const shownBy = (calls: "native" | "json"): readonly LmMessage[] =>
  shop(calls, [demonstration]).render("clerk", { question: "Lead?" }).slice(1);

describe("a demonstration of an agent", () => {
  it("is shown with its calls and results as messages of their own", () => {
    expect(shownBy("native")).toMatchInlineSnapshot(`
      [
        {
          "content": "Question: Tin?",
          "role": "user",
        },
        {
          "content": "I look up both.",
          "role": "assistant",
          "toolCalls": [
            {
              "arguments": "{"thing":"tin"}",
              "id": "d00000101",
              "name": "price",
            },
            {
              "arguments": "{"thing":"zinc"}",
              "id": "d00000102",
              "name": "price",
            },
          ],
        },
        {
          "content": "3 crowns",
          "role": "tool",
          "toolCallId": "d00000101",
        },
        {
          "content": "4 crowns",
          "role": "tool",
          "toolCallId": "d00000102",
        },
        {
          "content": "{
        "answer": "3"
      }",
          "role": "assistant",
        },
        {
          "content": "--- END OF EXAMPLES ---
      The examples above were for training purposes only. Please ignore any specific entities or facts mentioned in them.

      REAL USER QUERY:
      Question: Lead?
      ",
          "role": "user",
        },
      ]
    `);
  });

  it("is shown as JSON where the agent asks for calls so", () => {
    expect(shownBy("json")).toMatchInlineSnapshot(`
      [
        {
          "content": "Question: Tin?",
          "role": "user",
        },
        {
          "content": "{"thought":"I look up both.","calls":[{"tool":"price","input":{"thing":"tin"}},{"tool":"price","input":{"thing":"zinc"}}]}",
          "role": "assistant",
        },
        {
          "content": "Result of price:
      3 crowns

      Result of price:
      4 crowns",
          "role": "user",
        },
        {
          "content": "Call no further tool. Write the JSON object now, with every required field, and nothing else.",
          "role": "user",
        },
        {
          "content": "{
        "answer": "3"
      }",
          "role": "assistant",
        },
        {
          "content": "--- END OF EXAMPLES ---
      The examples above were for training purposes only. Please ignore any specific entities or facts mentioned in them.

      REAL USER QUERY:
      Question: Lead?
      ",
          "role": "user",
        },
      ]
    `);
  });

  it("is the same after it was written to a file and read", () => {
    const component = { kind: "demos", path: "clerk", value: [demonstration] };
    const read = componentSchema({ isStrict: true }).parse(JSON.parse(JSON.stringify(component)));
    expect(read).toEqual(component);
    const rendered = shop().with([read]).render("clerk", { question: "Lead?" });
    expect(rendered.slice(1)).toEqual(shownBy("native"));
  });
});

const rows = (split: string, things: readonly string[]) =>
  things.map((thing) => ({
    id: `${split}-${thing}`,
    input: { question: `What does ${thing} cost?` },
    labels: { answer: String(thing.length) },
  }));

const searches: Readonly<Record<string, Optimizer>> = {
  "bootstrapFewShot()": bootstrapFewShot({ budget: { metricCalls: 40 } }),
  "miproV2()": miproV2({ budget: { metricCalls: 120, reflectionCalls: 20 } }),
};

const isShown = (messages: readonly { readonly role: string; readonly content: string }[]) =>
  messages.filter(({ role }) => role === "user").slice(0, -1);

/** Answers right on train, and elsewhere only where a trajectory is shown. */
const learner = () =>
  scriptedLm((request) => {
    const { messages, tools } = request;
    if (tools === undefined) return writtenAs(request, "Answer the question.");
    const asked = messages.findLast(({ role }) => role === "user")?.content ?? "";
    const [, thing = ""] = /does (\w+) cost/.exec(asked) ?? [];
    const after = messages.slice(messages.findLastIndex(({ role }) => role === "user"));
    if (!after.some(({ role }) => role === "tool")) return { toolCalls: [["price", { thing }]] };
    const knows = isShown(messages).length > 0 || ["oak", "ash", "pine"].includes(thing);
    return JSON.stringify({ answer: knows ? String(thing.length) : "?" });
  });

const right = metric<{ question: string }, { answer: string }, { answer: string }>({
  name: "right",
  version: "1",
  score: ({ output, example }) => scored(output.answer === example.labels.answer ? 1 : 0),
});

const things = trainset({
  name: "things",
  version: "1",
  licence: "Apache-2.0",
  source: "own writing",
  splits: {
    train: rows("train", ["oak", "ash", "pine"]),
    val: rows("val", ["tin", "lead", "gold"]),
    test: rows("test", ["iron"]),
  },
});

it.each(Object.entries(searches))(
  "%s shows runs on train that pass, and no example its own",
  async (_, optimizer) => {
    await using server = await learner();
    const { best, program: compiled } = await optimize(
      { program: shop(), trainset: things, objective: right },
      { lm: server.lm, optimizer },
    );
    expect(best.selection.value).toBeGreaterThan(0.9);
    const demos = best.components.find((component) => component.kind === "demos");
    expect(demos?.value.length).toBeGreaterThan(0);
    for (const { steps, inputs } of demos?.value ?? []) {
      const [, thing = ""] = /does (\w+) cost/.exec(JSON.stringify(inputs["question"])) ?? [];
      expect(steps).toEqual([
        { calls: [{ tool: "price", input: { thing }, result: `${thing.length} crowns` }] },
      ]);
    }
    const before = server.received.length;
    const [first] = demos?.value ?? [];
    const question = first?.inputs["question"] as string;
    await compiled.run({ question }, { lm: server.lm, exampleId: first?.exampleId ?? "" });
    const [asked] = server.received.slice(before);
    const shown = isShown(asked?.messages ?? []).map(({ content }) => content);
    expect(shown).toHaveLength((demos?.value.length ?? 0) - 1);
    expect(shown.join()).not.toContain(question);
  },
);
