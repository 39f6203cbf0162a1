import { expect, it } from "vitest";
import { escapedLines } from "../../../../src/optimizer/proposal/text/shown-text.ts";

const parts = [
  ["heading", "## Feedback"],
  ["heading", "##\u00A0Feedback"],
  ["passage", "[2] It fell."],
  ["turn", "assistant: It fell."],
  ["item", "2. It fell."],
] as const;

it.each(parts)("no line of a case passes for a %s: %j", (part, opening) => {
  for (const before of ["\n", "\v", "\f", "\u001C", "\u0085", "\n\u00A0", "\n\u200B", "\n \t"]) {
    expect(escapedLines(`text${before}${opening}`, part)).toBe(`text${before}\\${opening}`);
  }
});
