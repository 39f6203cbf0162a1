import { expect, it } from "vitest";
import { clean } from "../../programs/ails-ntua/generation/clean.ts";
import { stripped } from "../../programs/ails-ntua/python-text.ts";
import { ratingIn } from "../../packages/judge/src/rating-judge.ts";
import {
  asksBackByRule,
  declinesByRule,
} from "../../packages/judge/src/lexical-generation-quality.ts";
import { extractText } from "../../src/optimizer/proposal/check/extract-text.ts";
import { readReply } from "../../src/program/driver/read-reply.ts";
import { sentences } from "../../packages/rehearsal/src/text/index.ts";
import { thrownBy } from "../support/thrown-by.ts";

const length = 2 ** 20;
const spaces = " ".repeat(length);

// Each of these took minutes to hours of one processor by an expression worse than linear.
it.each<readonly [string, () => unknown, unknown]>([
  ["a question with a run of spaces", () => stripped(`a${spaces}b`), `a${spaces}b`],
  ["an answer with a run of spaces", () => clean(`a${spaces}b`), "a b"],
  ["a rating of many digits", () => ratingIn(`${"1".repeat(length)} of 10`), 0.5],
  ["requests without an end", () => asksBackByRule("could ".repeat(length / 6)), 0],
  ["an answer of spaces", () => declinesByRule(`?${spaces}x`), 0],
  [
    "a proposal in a fence of spaces",
    () => extractText(`\`\`\`\n${spaces}x`),
    `\`\`\`\n${spaces}x`,
  ],
  ["a text of quotes", () => sentences('"'.repeat(length)).length, 1],
])("reads %s of 1 MiB at once", (_, read, expected) => {
  expect(read()).toEqual(expected);
});

it("reads a reply in a fence of 1 MiB of lines at once", async () => {
  const content = `\`\`\`${"\n".repeat(length)}x`;
  const reply = {
    content,
    reasoning: null,
    finishReason: "stop",
    usage: { promptTokens: 1, completionTokens: 1 },
  } as unknown as Parameters<typeof readReply>[0];
  const { code } = await thrownBy(() =>
    readReply(reply, () => ({ ok: true, value: {} }) as never, 100),
  );
  expect(code).toBe("output-unparseable");
});
