import { describe, expect, it } from "vitest";
import { lineEscaper } from "../../../src/internal/index.ts";

const escaped = lineEscaper(String.raw`## Feedback`);

/** What a model reads past, or takes for the end of a line. */
const hidden = [
  "\n",
  "\r\n",
  "\n\n \t",
  "\v",
  "\f",
  "\u001C",
  "\u001E",
  "\u0085",
  "\u2028",
  "\u2029",
];
const marks = [
  "\u00A0",
  "\u200B",
  "\u00AD",
  "\uFEFF",
  "\u3164",
  "\u2800",
  "\u0301",
  "\0",
  "\u3000",
];

describe("a line that would open another part", () => {
  it.each([
    ...hidden,
    ...marks.map((mark) => `\n${mark}`),
    ...marks.map((mark) => `${mark}\n${mark}`),
  ])("is escaped after %j", (before) => {
    expect(escaped(`text${before}## Feedback`)).toBe(`text${before}\\## Feedback`);
  });

  it("is escaped at the start of a text, but where that start is inside a line", () => {
    expect(escaped("\u200B## Feedback")).toBe("\u200B\\## Feedback");
    expect(escaped(" ## Feedback", { isFirstLineInside: true })).toBe(" ## Feedback");
    expect(escaped("\n## Feedback", { isFirstLineInside: true })).toBe("\n\\## Feedback");
  });

  it.each(["no ## Feedback", "## Other\n## feedback", "", "\n\n", "a\n #"])(
    "is not seen in %j",
    (text) => {
      expect(escaped(text)).toBe(text);
    },
  );
});
