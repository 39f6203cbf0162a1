import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cutTornLine, endedLines } from "../../src/internal/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

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

describe("a torn last line", () => {
  it.each([
    ["an empty file", "", 0],
    ["a file that has no other", longLine, 0],
    ["a file of whole lines", "a\nb\n", 4],
    ["a file of others, long as it is", `a\nb\n${longLine}`, 4],
  ])("is cut off %s", async (_, content, left) => {
    await using written = await file(content);
    await using handle = await open(written.path, "a+");
    await cutTornLine(handle);
    expect(await readFile(written.path, "utf8")).toBe(content.slice(0, left));
  });
});
