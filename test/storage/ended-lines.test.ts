import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endedLines } from "../../src/storage/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

async function file(content: string) {
  const folder = await temporaryFolder();
  const path = join(folder.path, "lines.jsonl");
  await writeFile(path, content);
  return { path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const longLine = "é".repeat(3 * 2 ** 20);

describe("lines that have ended", () => {
  it.each([
    ["none", "", []],
    ["one without its end", "a", []],
    ["blank ones", "\n\n", ["", ""]],
    [
      "long ones between short ones, and a torn one",
      `a\n${longLine}\nb\n${longLine}`,
      ["a", longLine, "b"],
    ],
  ])("are read from a file of %s", async (_, content, expected) => {
    await using written = await file(content);
    const lines = [...endedLines(written.path)].map(String);
    expect(lines.map(({ length }) => length)).toEqual(expected.map(({ length }) => length));
    expect(lines.every((line, index) => line === expected[index])).toBe(true);
  });
});

describe("a line beyond the limit", () => {
  it.each([
    ["that has ended", "a\nbbbb\nc\n"],
    ["that goes on over many pieces of the file", `a\n${longLine}\n`],
    ["without its end", `a\n${longLine}`],
  ])("is refused by its number: one %s", async (_, content) => {
    await using written = await file(content);
    const { code, message } = await thrownBy(() => [
      ...endedLines(written.path, { maxLineBytes: 3 }),
    ]);
    expect(code).toBe("file-malformed");
    expect(message).toContain("lines.jsonl:2");
    expect(message).toContain("lines of at most 3 bytes");
  });

  it("is no line of just that length", async () => {
    await using written = await file("aaa\nbbb\nccc");
    const lines = [...endedLines(written.path, { maxLineBytes: 3 })].map(String);
    expect(lines).toEqual(["aaa", "bbb"]);
  });
});
