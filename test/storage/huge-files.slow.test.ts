import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readJsonl } from "espalier/trainset";
import { endedLines } from "../../src/storage/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { thrownBy } from "../support/thrown-by.ts";

/** More than the longest string. */
const mebibytes = 600;

describe("a file of 600 MiB", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => (folder = await temporaryFolder()));
  afterAll(() => folder[Symbol.asyncDispose]());

  function written(name: string, piece: string): string {
    const path = join(folder.path, name);
    const file = openSync(path, "w");
    for (let index = 0; index < mebibytes; index++) writeSync(file, piece);
    closeSync(file);
    return path;
  }

  it("is read line by line", async () => {
    const row = `{"text":"${"x".repeat(2 ** 20 - 12)}"}\n`;
    const path = written("rows.jsonl", row);
    let count = 0;
    for (const line of endedLines(path)) count += line.length + 1 === row.length ? 1 : 0;
    expect(count).toBe(mebibytes);
    const rows = await readJsonl(path, z.object({ text: z.string().transform((t) => t.length) }));
    expect(rows).toHaveLength(mebibytes);
  });

  it("that is one line is told as that", async () => {
    const path = written("line.jsonl", "x".repeat(2 ** 20));
    const { code, message } = await thrownBy(() => readJsonl(path, z.unknown()));
    expect(code).toBe("file-malformed");
    expect(message).toContain("A line of the file is too long");
    expect(message).toContain("lines of at most 64 MiB");
    const own = await thrownBy(() => [...endedLines(path)]);
    expect(own.message).toContain("A line of the file is too long");
  });
});
