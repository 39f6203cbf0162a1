import { EspalierError } from "espalier";
import { expect } from "vitest";
import { z } from "zod";
import { lmAt } from "../support/ask.ts";
import { replyFullOfEscapes } from "../support/escapes.ts";
import { attempted, leaningTo, oneStep } from "../support/one-step.ts";
import { test } from "../support/vllm-test.ts";

test("a choice is one of the values, with a wild model too", async ({ chat }) => {
  await using lm = lmAt(chat);
  const shelves = ["cloud", "a b", 'quoted "c"', "é"] as const;
  const { attempt } = await attempted(oneStep(z.enum(shelves)), lm);
  expect(attempt).toMatchObject({ state: "completed" });
});

// xgrammar compiles a string of bounded length to one without escapes.
test("a text field may hold quotes, line breaks and backslashes", async ({ chat }) => {
  expect(await replyFullOfEscapes(chat)).toContain("\\");
});

// The default backend lets any white space through between two tokens of JSON.
test("a reply cut off in white space names the server's option", async ({ chat }) => {
  await using lm = lmAt(chat);
  const spaces = await leaningTo(["\n", " ", "\n\n"], lm, chat);
  const { attempt, replies } = await attempted(oneStep(z.boolean()), spaces);
  expect(attempt).toMatchObject({ state: "failed", failure: { code: "output-truncated" } });
  expect(replies[0]?.content).toMatch(/\s{20}$/);
  const { error } = attempt as { readonly error: unknown };
  expect(EspalierError.isInstance(error) && error.message).toContain("disable_any_whitespace");
});

// What vLLM cannot compile it answers with 500, or with 400.
for (const pattern of [/^\p{L}+$/u, /\bfoo\b/]) {
  test(`a field of the pattern ${String(pattern)} can be asked for`, async ({ chat }) => {
    await using lm = lmAt(chat);
    const { replies } = await attempted(oneStep(z.string().regex(pattern)), lm);
    expect(replies.length).toBeGreaterThan(0);
  });
}

// Without bounds, a whole number may have hundreds of digits.
test("a whole number is one that JavaScript can hold", async ({ chat }) => {
  await using lm = lmAt(chat);
  const digits = await leaningTo(["1", "9"], lm, chat);
  const { attempt } = await attempted(oneStep(z.int()), digits);
  expect(attempt).toMatchObject({ state: "completed" });
});
