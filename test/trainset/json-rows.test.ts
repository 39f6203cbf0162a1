import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonRowsOptions } from "../../src/trainset/index.ts";
import { jsonRows } from "../../src/trainset/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const rowSchema = z.looseObject({ id: z.string() });

describe("rows of a JSON file", () => {
  const rows = [
    { id: "a", text: 'brackets ]}[{ and "quotes" \\ in text', data: [1, { id: "no row" }] },
    { id: "ü", text: "two\nlines", nested: { data: [{ id: "no row" }] } },
    { id: "c" },
  ];

  test.each([
    ["one list on one line", JSON.stringify(rows), {}],
    ["one list, indented", JSON.stringify(rows, null, 2), {}],
    ["a list that begins with a byte order mark", `\uFEFF${JSON.stringify(rows)}`, {}],
    ["one row per line", rows.map((row) => JSON.stringify(row)).join("\r\n"), {}],
    [
      "a list under a key, after other keys",
      JSON.stringify({
        version: "data",
        verified: false,
        of: [{ id: "no row" }],
        data: rows,
        n: 1,
      }),
      { lists: ["Data", "data"] },
    ],
  ] as const)("are read from %s, gzipped or not", async (_, text, options) => {
    expect(await rowsOf(text, options)).toEqual(rows);
    expect(await rowsOf(gzipSync(text), options)).toEqual(rows);
  });

  test("are read the same wherever the pieces of the file end", async () => {
    // Larger than the pieces in which Node reads a file.
    const many = Array.from({ length: 3_000 }, (_, index) => ({
      id: `row ${index}`,
      text: '"]}'.repeat(index % 97),
    }));
    expect(await rowsOf(JSON.stringify({ Data: many }), { lists: ["Data"] })).toEqual(many);
  });

  test.each([
    ["a row without its field", '[{"id":"a"},\n{"name":"b"}]'],
    ["a row that is not JSON", '[{"id":"a"},\n\n{"id":nobody}]'],
    ["a list that breaks off", '[{"id":"a"},\n{"id":"b"'],
    ["a list of something else", "[1, 2]"],
    ["a list of lists", '[["a"]]'],
    ["text", "<html>Not found</html>"],
    ["an empty list", "[]"],
    ["a bracket too many", '{"id":"a"}}'],
    ["a second list", '[{"id":"a"},{"id":"b"}]\n[{"id":"c"}]'],
    ["an object after the list", '[{"id":"a"}]\n\n{"id":"b"}'],
    ["a word after the list", '[{"id":"a"}]\n"end"'],
    ["two objects without a comma", '[{"id":"a"}\n{"id":"b"}]'],
    ["a doubled comma", '[{"id":"a"},\n,{"id":"b"}]'],
    ["a comma before the first object", '[\n,{"id":"a"}]'],
    ["a comma after the last object", '[{"id":"a"},\n]'],
    ["a comma between lines", '{"id":"a"},\n{"id":"b"}'],
    ["a list that ends like an object", '[{"id":"a"}\n}'],
  ])("%s is an error that names the line", async (_, text) => {
    await expect(rowsOf(text)).rejects.toMatchObject({ code: "file-malformed" });
    await expect(rowsOf(text)).rejects.toThrowErrorMatchingSnapshot();
  });

  test("two documents with lists under a key are an error, not the rows of the first", async () => {
    const text = `{"data":[{"id":"a"}],"n":1}\n{"data":[{"id":"b"}]}`;
    await expect(rowsOf(text, { lists: ["data"] })).rejects.toThrow(/rows:2\)/);
  });

  test("an object larger than the limit is refused where it begins", async () => {
    const text = `[{"id":"a"},\n{"id":"${"b".repeat(2_000)}"}]`;
    await expect(rowsOf(text, { maxRowBytes: 1_000 })).rejects.toThrow(/rows:2\)/);
  });

  test("a missing file is named", async () => {
    await expect(collected("/no/such/file.json")).rejects.toMatchObject({ code: "file-missing" });
  });
});

async function rowsOf(content: string | Uint8Array, options?: JsonRowsOptions): Promise<unknown[]> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "rows");
  await writeFile(path, content);
  try {
    return await collected(path, options);
  } catch (error) {
    (error as Error).message = (error as Error).message.replaceAll(path, "rows");
    throw error;
  }
}

async function collected(path: string, options?: JsonRowsOptions): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { row } of jsonRows(path, rowSchema, options)) found.push(row);
  return found;
}
