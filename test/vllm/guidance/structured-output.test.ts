import { expect } from "vitest";
import { z } from "zod";
import { lmAt } from "../support/ask.ts";
import { replyFullOfEscapes } from "../support/escapes.ts";
import { attempted, leaningTo, oneStep } from "../support/one-step.ts";
import { test } from "../support/vllm-test.ts";

test("a text field may hold quotes, line breaks and backslashes", async ({ guidance }) => {
  expect(await replyFullOfEscapes(guidance)).toContain("\\");
});

test("no white space holds up a reply", async ({ guidance }) => {
  await using lm = lmAt(guidance);
  const spaces = await leaningTo(["\n", " ", "\n\n"], lm, guidance);
  const { attempt } = await attempted(oneStep(z.boolean()), spaces);
  expect(attempt).toMatchObject({ state: "completed" });
});
