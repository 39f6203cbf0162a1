import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileLines } from "../../src/storage/index.ts";
import { lineReader } from "../../src/storage/file-lines.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

async function linesOf(content: string | Uint8Array, options = {}): Promise<readonly string[]> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "lines.txt");
  await writeFile(path, content);
  return (await Array.fromAsync(fileLines(path, options))).flat();
}

describe("lines of a file", () => {
  it("are those of the whole text, wherever the pieces are cut", () => {
    const character = fc.constantFrom("a", "\n", "\r\n", "é", "🗼", "\ufeff");
    fc.assert(
      fc.property(fc.array(character), fc.array(fc.nat(40)), (characters, cuts) => {
        const bytes = Buffer.from(characters.join(""));
        const reader = lineReader("lines.txt", 1_000);
        const at = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b)];
        const pieces = at.map((start, index) => bytes.subarray(start, at[index + 1]));
        const lines = [...pieces.flatMap((piece) => reader.take(piece)), ...reader.rest()];
        expect(lines).toEqual(
          characters
            .join("")
            .replace(/^\ufeff/u, "")
            .split(/\r?\n/u),
        );
      }),
    );
  });

  it("are read from an empty file as one that is empty", async () => {
    expect(await linesOf("")).toEqual([""]);
  });

  it("are read in time linear in their length", async () => {
    const line = "x".repeat(48 * 2 ** 20);
    const start = process.cpuUsage();
    const [read] = await linesOf(line);
    const { user, system } = process.cpuUsage(start);
    expect(read?.length).toBe(line.length);
    // One that copies what came before with each piece takes more than ten seconds.
    expect((user + system) / 1e6).toBeLessThan(4);
  });

  it.each([
    ["in a later line", `a\n${"é".repeat(51)}\nb`, 2],
    ["in the last line", `a\nb\n${"é".repeat(51)}`, 3],
  ])("are refused beyond the limit of bytes %s, and not at it", async (_, content, line) => {
    expect(await linesOf(content, { maxLineBytes: 102 })).toHaveLength(3);
    for (const bytes of [content, gzipSync(content)]) {
      const { code, message } = await thrownBy(() => linesOf(bytes, { maxLineBytes: 101 }));
      expect(code).toBe("file-malformed");
      expect(message).toMatch(
        new RegExp(
          `^A line of the file is too long \\(at .*lines.txt:${line}\\)\\. Expected: lines of at most 101 bytes`,
          "u",
        ),
      );
    }
  });

  it("that are not UTF-8 are refused with the line", async () => {
    const bytes = Buffer.concat([Buffer.from("a\nb\n"), Buffer.from([0xff]), Buffer.from("\nc")]);
    const { message } = await thrownBy(() => linesOf(bytes));
    expect(message).toMatch(/^The file is not UTF-8 text \(at .*lines.txt:3\)\./u);
  });
});
