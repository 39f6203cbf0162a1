import { agent, signature, text, tool } from "espalier";
import { expect } from "vitest";
import { z } from "zod";
import { thrownBy } from "../../support/thrown-by.ts";
import { lmAt, request } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

// The weights are random: only what the server is forced to write can be expected.
const tools = [
  {
    name: "pick",
    description: "Picks a colour.",
    parameters: {
      type: "object",
      properties: { colour: { type: "string", enum: ["red", "blue"] } },
      required: ["colour"],
      additionalProperties: false,
    },
  },
];
const asked = {
  ...request("Pick one.", { maxCompletionTokens: 400 }),
  extraBody: {},
  thinking: false,
};

test("a conversation with parallel calls and their results is taken", async ({
  systems: server,
}) => {
  await using lm = lmAt(server);
  const reply = await lm.doGenerate({
    ...asked,
    tools,
    toolChoice: "none",
    responseSchema: {
      name: "outcome",
      schema: {
        type: "object",
        properties: { done: { type: "boolean" } },
        required: ["done"],
        additionalProperties: false,
      },
    },
    messages: [
      ...asked.messages,
      {
        role: "assistant",
        content: "",
        toolCalls: [
          { id: "call00101", name: "pick", arguments: '{"colour":"red"}' },
          { id: "call00102", name: "pick", arguments: '{"colour":"blue"}' },
        ],
      },
      { role: "tool", content: "It is red.", toolCallId: "call00101" },
      { role: "tool", content: "It is blue.", toolCallId: "call00102" },
      { role: "user", content: "Write the JSON object now." },
    ],
  });
  expect(JSON.parse(reply.content ?? "")).toEqual({ done: expect.any(Boolean) as boolean });
});

const choose = signature({
  name: "choose",
  instruction: "Choose a colour.",
  input: { question: text("question") },
  output: { colour: z.enum(["red", "blue"]) },
});
const picked: string[] = [];
const pick = tool({
  name: "pick",
  description: "Picks a colour.",
  input: { colour: z.enum(["red", "blue"]) },
  run: ({ colour }) => {
    picked.push(colour);
    return `It is ${colour}.`;
  },
});

test.for(["native", "json"] as const)(
  "an agent with %s calls ends with typed outputs",
  async (calls, { systems: server }) => {
    await using lm = lmAt(server);
    const sampling = { maxCompletionTokens: 500 };
    const one = agent({
      signature: choose,
      tools: [pick],
      maxSteps: 2,
      calls,
      sampling,
      thinking: false,
    });
    const { colour } = await one.run({ question: "Which?" }, { lm });
    expect(["red", "blue"]).toContain(colour);
  },
);

test("a model that reads only text refuses a picture in a sentence", async ({
  systems: server,
}) => {
  await using lm = lmAt(server);
  const url =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const refused = await thrownBy(() =>
    lm.doGenerate({
      ...asked,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What?" },
            { type: "image", url },
          ],
        },
      ],
    }),
  );
  expect(refused.code).toBe("lm-request-refused");
  expect(refused.message).toContain("reads only text");
});
