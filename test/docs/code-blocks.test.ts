import { resolve } from "node:path";
import { serversSchema } from "espalier/servers";
import { expect, test } from "vitest";
import { blocks, inLanguage } from "./support/documented-blocks.ts";
import { shellProblems } from "./support/shell-problems.ts";

const repository = resolve(import.meta.dirname, "../..");
test("every code block is in a language that is checked, or is text, a diagram, or another project's Python", () => {
  const known = new Set(["ts", "sh", "json", "text", "mermaid", "python"]);
  const others = blocks.filter(({ language }) => !known.has(language));
  expect(others.map(({ place }) => place)).toEqual([]);
  expect(inLanguage("ts").length).toBeGreaterThan(10);
  expect(inLanguage("sh").length).toBeGreaterThan(10);
});

test("python is shown only where espalier is compared with a Python project", () => {
  expect(new Set(inLanguage("python").map(({ page }) => page))).toEqual(
    new Set(["docs/from-dspy.md"]),
  );
});

test.each(inLanguage("json"))("the JSON at $place can be read", ({ code }) => {
  const parses = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  // One value, or one a line.
  expect(parses(code) || code.trimEnd().split("\n").every(parses)).toBe(true);
});

test.each(inLanguage("json").filter(({ code }) => code.includes("espalier-servers/1")))(
  "the servers file at $place is one",
  ({ code }) => {
    expect(() => serversSchema.parse(JSON.parse(code))).not.toThrow();
  },
);

test.each(inLanguage("sh"))("the commands and options at $place exist", async ({ code }) => {
  expect(await shellProblems(code, repository)).toEqual([]);
});
