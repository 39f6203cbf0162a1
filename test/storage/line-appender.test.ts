import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mebibyte } from "../../src/internal/index.ts";
import { lineAppender } from "../../src/storage/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

const report = { kept: "The lines before are kept.", next: "try again" };
/** Longer than what is read at a time. */
const longLine = "é".repeat(3 * mebibyte);

test("lines that are added at once follow each other, in a file for its owner only", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "kept", "lines.jsonl");
  const lines = lineAppender(path, report);
  await Promise.all([0, 1, 2].map((number) => lines.append({ number })));
  expect(await readFile(path, "utf8")).toBe('{"number":0}\n{"number":1}\n{"number":2}\n');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test.each([
  ["an empty file", "", 0],
  ["a file that has no other", longLine, 0],
  ["a file of whole lines", "a\nb\n", 4],
  ["a file of others, long as it is", `a\nb\n${longLine}`, 4],
])("a torn last line is cut off %s before the first is added", async (_, content, left) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "lines.jsonl");
  await writeFile(path, content);
  await lineAppender(path, report).append({ number: 1 });
  expect(await readFile(path, "utf8")).toBe(`${content.slice(0, left)}{"number":1}\n`);
});

test("once a line could not be written, none is, with what the first failed with", async () => {
  await using folder = await temporaryFolder();
  const lines = lineAppender(join(folder.path, "lines.jsonl", "below"), report);
  lines.throwIfFailed();
  await writeFile(join(folder.path, "lines.jsonl"), "");
  const errors = [
    await thrownBy(() => lines.append({ number: 1 })),
    await thrownBy(() => lines.append({ number: 2 })),
    await thrownBy(async () => lines.throwIfFailed()),
  ];
  expect(errors.map(({ code }) => code)).toEqual(["write-failed", "write-failed", "write-failed"]);
  expect(errors[0]?.message).toContain(report.kept);
});
