import { expect, it } from "vitest";
import { z } from "zod";
import type { Optimizer } from "espalier/optimizer";
import { agent, int, program, signature, text, tool } from "espalier";
import { metric, scored } from "espalier/metric";
import { gepa, optimize, parameterSearch } from "espalier/optimizer";
import { trainset } from "espalier/trainset";
import { scriptedLm } from "../../support/scripted-lm.ts";
import { writtenAs } from "./support/written-as.ts";

const price = tool({
  name: "price",
  description: "Looks up a price.",
  input: { thing: z.string().describe("What costs.") },
  run: ({ thing }) => `${thing.length} crowns`,
});

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
      tools: [price],
      maxSteps: 4,
    }),
  },
  parameters: { steps: int({ default: 1, min: 1, max: 4 }) },
  forward: async ({ question }, { predictors, parameters: { steps } }) =>
    predictors.clerk({ question }, { maxSteps: steps }),
});

const rows = (split: string) =>
  ["oak", "ash", "pine"].map((thing) => ({
    id: `${split}-${thing}`,
    input: { question: `What does ${split} ${thing} cost?` },
    labels: {},
  }));

const task = {
  program: shop,
  trainset: trainset({
    name: "things",
    version: "1",
    licence: "Apache-2.0",
    source: "own writing",
    splits: { train: rows("train"), val: rows("val"), test: rows("test") },
  }),
  objective: metric<{ question: string }, { answer: string }, object>({
    name: "told",
    version: "1",
    score: ({ output }) => scored(Number(output.answer), "You must name the unit."),
  }),
};

/** Writes the share of three texts that the reflection LM has improved. */
const student = () =>
  scriptedLm((request) => {
    const { messages, tools } = request;
    if (tools === undefined) return writtenAs(request, "Improved text.");
    const said = JSON.stringify([messages[0]?.content, tools]);
    return JSON.stringify({ answer: String((said.split("Improved text.").length - 1) / 3) });
  });

const searches: Readonly<Record<string, Optimizer>> = {
  "gepa()": gepa({
    budget: { metricCalls: 200, reflectionCalls: 20 },
    components: ["instruction", "toolDescription"],
  }),
};

it.each(Object.entries(searches))(
  "%s rewrites instruction, descriptions of tools and of their arguments",
  async (_, optimizer) => {
    await using server = await student();
    const { best, program: compiled } = await optimize(task, { lm: server.lm, optimizer });
    const improved = best.components.flatMap(({ kind, path, value }) =>
      value === "Improved text." ? [`${kind} ${path}`] : [],
    );
    expect(improved).toEqual([
      "instruction clerk",
      "toolDescription clerk.price",
      "toolDescription clerk.price.thing",
    ]);
    expect(await compiled.run({ question: "?" }, { lm: server.lm })).toEqual({ answer: "1" });
  },
);

it("parameterSearch() finds the number of steps that an agent needs", async () => {
  await using server = await scriptedLm(({ messages, tool_choice: choice }) => {
    const results = messages.filter(({ role }) => role === "tool").length;
    // Asks until it is not allowed to: three results are best.
    if (choice !== "none") return { toolCalls: [["price", { thing: "x".repeat(results + 1) }]] };
    return JSON.stringify({ answer: results === 3 ? "1" : "0.5" });
  });
  const { best, program: compiled } = await optimize(task, {
    lm: server.lm,
    optimizer: parameterSearch({ budget: { metricCalls: 60 } }),
  });
  expect(best.components).toContainEqual({ kind: "parameter", path: "steps", value: 3 });
  const attempt = await compiled.attempt({ question: "?" }, { lm: server.lm });
  const [node] = attempt.trace.children;
  expect(node?.kind === "predictor" && node.tools).toHaveLength(3);
});
