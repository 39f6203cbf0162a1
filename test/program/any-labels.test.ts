import { describe, expect, it } from "vitest";
import { z } from "zod";
import { fromAiSdk } from "@espalier/ai-sdk";
import { agent, predict, reason, signature, text, tool } from "espalier";
import { scriptedLm } from "../support/scripted-lm.ts";

const odd = [
  ["Refund, exchange", "Other"],
  ["yes|no", "Yes|no"],
  ["", "x"],
  ["Yes", "yes"],
  ["a ", "a", " a"],
  ["<|im_end|>", "x"],
  ['say "hi"', "'", "\\"],
  ["two\nlines", "two lines", "\u2028"],
  ["ü", "u\u0308", "ö", "🙂", "__proto__"],
] as const;

const of = (field: z.ZodType) =>
  signature({
    name: "sort",
    instruction: "Sort it.",
    input: { question: text("question") },
    output: { label: field as z.ZodType<any> },
  });
const look = tool({ name: "look", description: "Looks.", input: {}, run: () => "x" });
const question = "Which?";

describe.each(odd)("labels %j, %j", (...labels) => {
  const options = labels.filter((label) => typeof label === "string") as [string, ...string[]];
  const label = z.enum(options);

  it("are told one by one", () => {
    const [system] = predict(of(label)).render({ question });
    const told = /One of: ([^\n]*)\n/.exec(system?.content as string)?.[1] ?? "";
    const asJson = `[${told.startsWith('"') ? told : JSON.stringify(told).replaceAll(", ", '","')}]`;
    expect(JSON.parse(asJson)).toEqual(options);
  });

  it.each([
    ["predict()", predict(of(label))],
    ["reason()", reason(of(label))],
    ["agent()", agent({ signature: of(label), tools: [look] })],
    ["optional", predict(of(label.optional()))],
    ["nullable", predict(of(label.nullable()))],
    ["with a default", predict(of(label.default(options[0])))],
    ["a union of literals", predict(of(z.union(options.map((one) => z.literal(one)))))],
    ["a union with numbers", predict(of(z.union([label, z.int()])))],
  ])("are read: %s", async (_, step) => {
    for (const one of options) {
      const reply = JSON.stringify({ reasoning: "So.", label: one });
      await using server = await scriptedLm(() => reply);
      const made = await step.run({ question }, { lm: server.lm });
      expect(made).toMatchObject({ label: one });
    }
  });

  it("are read in lists, and in lists of objects", async () => {
    const reply = JSON.stringify({ label: options });
    await using server = await scriptedLm(() => reply);
    const made = await predict(of(z.array(label))).run({ question }, { lm: server.lm });
    expect(made).toEqual({ label: options });
    const objects = { label: options.map((a) => ({ a })) };
    await using other = await scriptedLm(() => JSON.stringify(objects));
    const list = predict(of(z.array(z.object({ a: label }))));
    expect(await list.run({ question }, { lm: other.lm })).toEqual(objects);
  });

  it("are never taken for another that differs in case or space alone", async () => {
    await using server = await scriptedLm(() => JSON.stringify({ label: "X, OTHER" }));
    const step = predict(of(label), { corrections: 0 });
    await expect(step.run({ question }, { lm: server.lm })).rejects.toMatchObject({
      code: "output-invalid",
    });
  });

  it("are read from a model of the AI SDK", async () => {
    const lm = fromAiSdk({
      specificationVersion: "v3",
      provider: "test",
      modelId: "m",
      doGenerate: async () => ({
        content: [{ type: "text", text: JSON.stringify({ label: options[0] }) }],
        finishReason: { unified: "stop", raw: "stop" },
        usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
        warnings: [],
      }),
      doStream: () => Promise.reject(new Error("not asked")),
    });
    expect(await predict(of(label)).run({ question }, { lm })).toEqual({ label: options[0] });
  });
});

it("a label that is no whole text is refused where it is declared, by name", () => {
  expect(() => of(z.enum(["a", "cut \ud83d"]))).toThrow(
    'signature "sort", output "label"). Got: the label "cut \\ud83d", which contains half a character.',
  );
});
