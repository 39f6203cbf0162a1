import { agent, program, signature, text, tool } from "espalier";
import { z } from "zod";

const inStock = tool({
  name: "in_stock",
  description: "Says how many units of a material are in stock.",
  input: { material: z.string().describe("Its name, in one word.") },
  output: z.object({ units: z.int() }),
  run: ({ material }) => ({ units: material.length }),
});
const answer = signature({
  name: "answer-question",
  instruction: "Answer the question about the materials of the press.",
  input: { question: text("question") },
  output: { answer: text("answer", "One sentence."), units: z.int().nullable() },
});

/** An agent with a tool, and every kind of field beside texts. */
export const clerk = program({
  name: "clerk",
  version: "1",
  input: { question: text("question") },
  output: { ...answer.output, kind: z.enum(["stock", "other"]) },
  predictors: { clerk: agent({ signature: answer, tools: [inStock], maxSteps: 6 }) },
  forward: async (given, { predictors }) => {
    const answered = await predictors.clerk(given);
    return { ...answered, kind: answered.units === null ? ("other" as const) : ("stock" as const) };
  },
});

export const order = signature({
  name: "order",
  instruction: "Read the order.",
  input: { message: text("message") },
  output: {
    lines: z.array(z.object({ name: z.string(), count: z.int().min(1) })),
    delivery: z.discriminatedUnion("by", [
      z.object({ by: z.literal("post"), address: z.string() }),
      z.object({ by: z.literal("pickup"), hour: z.number().min(0).max(23) }),
    ]),
    notes: z.record(z.string(), z.string()),
    span: z.tuple([z.int(), z.int()]),
    isUrgent: z.boolean().default(false),
  },
});
