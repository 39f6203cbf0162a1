import { agent, signature, text, tool } from "espalier";
import { expect } from "vitest";
import { z } from "zod";
import { lmAt, request } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

const weather = {
  name: "weather",
  description: "Tells the weather of a town.",
  parameters: {
    type: "object",
    properties: { town: { type: "string", description: "The town's name." } },
    required: ["town"],
    additionalProperties: false,
  },
};

// By its own choice this model writes calls without the tags that the server's parser looks for.
test("a required call asks for what the question is about", async ({ qwenCoder, skip }) => {
  skip(!qwenCoder.isTrained, "no trained weights");
  await using lm = lmAt(qwenCoder);
  for (const town of ["Porto", "Gdansk", "Oslo"]) {
    const { toolCalls, finishReason } = await lm.doGenerate({
      ...request(`What is the weather in ${town}?`, { maxCompletionTokens: 100, extraBody: {} }),
      tools: [weather],
      toolChoice: "required",
    });
    expect({ town, finishReason }).toEqual({ town, finishReason: "tool-calls" });
    expect(toolCalls?.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ["weather", { town }],
    ]);
  }
});

const answer = signature({
  name: "answer",
  instruction: "Answer the question from the register.",
  input: { question: text("question") },
  output: { year: z.int().describe("The year.") },
});

test("an agent looks up what it was asked, and answers what it was told", async ({
  qwenCoder,
  skip,
}) => {
  skip(!qwenCoder.isTrained, "no trained weights");
  await using lm = lmAt(qwenCoder, { concurrency: 3 });
  const years: Readonly<Record<string, number>> = { Aurora: 1911, Petrel: 1874, Heron: 1952 };
  const asked: string[] = [];
  const register = tool({
    name: "look_up_ship",
    description: "Looks up a ship in the register.",
    input: { ship: z.string().describe("The ship's name.") },
    run: ({ ship }) => {
      asked.push(ship);
      return `${ship}: built in ${years[ship]}, 40 metres long.`;
    },
  });
  const one = agent({
    signature: answer,
    tools: [register],
    maxSteps: 2,
    calls: "json",
    thinking: false,
  });
  const answered = await Promise.all(
    Object.keys(years).map(async (ship) => {
      const { year } = await one.run(
        { question: `In which year was the ship ${ship} built?` },
        { lm },
      );
      return [ship, year] as const;
    }),
  );
  expect(new Set(asked)).toEqual(new Set(Object.keys(years)));
  expect(Object.fromEntries(answered)).toEqual(years);
});
