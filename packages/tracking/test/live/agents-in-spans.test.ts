import { expect, it } from "vitest";
import { z } from "zod";
import { agent, program, signature, text, tool } from "../../../../src/index.ts";
import { metric, scored } from "../../../../src/metric/index.ts";
import { gepa, optimize } from "../../../../src/optimizer/index.ts";
import { otlp } from "../../src/index.ts";
import { trainset } from "../../../../src/trainset/index.ts";
import { scriptedLm } from "../../../../test/support/scripted-lm.ts";
import { collector } from "../../../../test/support/otlp-collector.ts";

const rows = (split: string) => [
  { id: `${split}1`, input: { question: `What does ${split} tin cost?` }, labels: {} },
];

const shop = program({
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
      tools: [
        tool({
          name: "price",
          description: "Looks up a price.",
          input: { thing: z.string() },
          run: ({ thing }) => ({ crowns: thing.length }),
        }),
      ],
    }),
  },
  forward: async ({ question }, { predictors }) => predictors.clerk({ question }),
});

async function spansOf(hasContents: boolean) {
  await using lm = await scriptedLm(({ messages }) =>
    messages.some(({ role }) => role === "tool")
      ? JSON.stringify({ answer: "3 crowns" })
      : { content: "I look it up.", toolCalls: [["price", { thing: "tin" }]] },
  );
  await using server = await collector();
  const listener = otlp({ url: server.url, hasContents }).search();
  await optimize(
    {
      program: shop,
      trainset: trainset({
        name: "things",
        version: "1",
        licence: "Apache-2.0",
        source: "own writing",
        splits: { train: rows("train"), val: rows("val"), test: rows("test") },
      }),
      objective: metric<{ question: string }, { answer: string }, object>({
        name: "fixed",
        version: "1",
        score: () => scored(1),
      }),
    },
    { lm: lm.lm, optimizer: gepa({ budget: { metricCalls: 4, reflectionCalls: 1 } }), ...listener },
  );
  await listener.end(60_000);
  return server.spans();
}

it("an agent's calls of tools are spans of their own below it, and parts of its messages", async () => {
  const spans = await spansOf(true);
  const ofTool = spans.find(({ name }) => name === "price");
  expect(ofTool?.attributes).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "price",
    "gen_ai.tool.call.arguments": '{"thing":"tin"}',
    "gen_ai.tool.call.result": '{"crowns":3}',
  });
  const clerk = spans.find(({ spanId }) => spanId === ofTool?.parentSpanId);
  expect(clerk?.name).toBe("clerk");
  const [first, second] = spans.filter(
    ({ attributes, parentSpanId }) =>
      attributes["gen_ai.operation.name"] === "chat" && parentSpanId === clerk?.spanId,
  );
  const call = { type: "tool_call", name: "price", arguments: '{"thing":"tin"}' };
  expect(JSON.parse(first?.attributes["gen_ai.output.messages"] as string)).toEqual([
    {
      role: "assistant",
      parts: [
        { type: "text", content: "I look it up." },
        { ...call, id: "chatcmpl-tool-0" },
      ],
      finish_reason: "tool-calls",
    },
  ]);
  const asked = JSON.parse(second?.attributes["gen_ai.input.messages"] as string) as unknown[];
  expect(asked.slice(-2)).toEqual([
    {
      role: "assistant",
      parts: [
        { type: "text", content: "I look it up." },
        { ...call, id: "call00101" },
      ],
    },
    {
      role: "tool",
      parts: [{ type: "tool_call_response", id: "call00101", response: '{"crowns":3}' }],
    },
  ]);
});

it("the words of a call stay here where contents are not asked for", async () => {
  const spans = await spansOf(false);
  expect(spans.map(({ name }) => name)).toContain("price");
  expect(JSON.stringify(spans)).not.toMatch(/crowns|\btin\b/);
});
