import type { LanguageModel, LmReply } from "espalier";
import { reason, signature, text } from "espalier";
import { expect } from "vitest";
import { z } from "zod";
import { lmAt } from "../support/ask.ts";
import { test } from "../support/vllm-test.ts";

const solve = signature({
  name: "solve",
  instruction: "Solve the problem.",
  input: { problem: text("question") },
  output: { result: z.int() },
});

const problems: readonly (readonly [problem: string, result: number])[] = [
  ["Tom has 3 apples and buys 4 more. How many has he?", 7],
  ["A train has 5 wagons with 10 seats each. How many seats are there?", 50],
  ["Eva had 12 eggs and used 5. How many are left?", 7],
  ["There are 3 boxes of 6 pens. How many pens are there?", 18],
  ["A book costs 8 crowns. What do 4 books cost?", 32],
  ["Of 20 birds 9 fly away. How many stay?", 11],
];

test("chains of thought end by themselves, and most in the right result", async ({
  qwenCoder,
  skip,
}) => {
  skip(!qwenCoder.isTrained, "no trained weights");
  await using server = lmAt(qwenCoder, { concurrency: problems.length });
  const replies: LmReply[] = [];
  const lm: LanguageModel = {
    identity: server.identity,
    doGenerate: async (asked, options) => {
      const reply = await server.doGenerate(asked, options);
      replies.push(reply);
      return reply;
    },
  };
  const step = reason(solve, { corrections: 0 });
  const solved = await Promise.all(problems.map(([problem]) => step.run({ problem }, { lm })));
  for (const { finishReason, usage } of replies) {
    expect(finishReason).toBe("stop");
    expect(usage.completionTokens).toBeLessThan(500);
  }
  for (const { reasoning } of solved) expect(reasoning.split(" ").length).toBeGreaterThan(5);
  const right = solved.filter(({ result }, index) => result === problems[index]![1]);
  expect(right.length).toBeGreaterThanOrEqual(4);
});
