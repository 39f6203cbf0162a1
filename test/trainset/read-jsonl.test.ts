import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { readJsonl } from "../../src/trainset/index.ts";
import { thrownBy } from "../support/thrown-by.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "espalier-jsonl-"));
});
afterAll(() => rm(folder, { recursive: true }));

const row = z.object({ id: z.string(), score: z.number() });

async function written(content: string | Uint8Array): Promise<string> {
  const path = join(folder, "rows.jsonl");
  await writeFile(path, content);
  return path;
}

/** Code and message, without the temporary folder. */
async function messageOf(reading: Promise<unknown>): Promise<string> {
  const { code, message } = await thrownBy(() => reading);
  return `${code}: ${message.replaceAll(`${folder}/`, "")}`;
}

test("reads rows past a byte order mark, CRLF, blank lines and a missing final newline", async () => {
  const path = await written('\uFEFF{"id":"a","score":1}\r\n\r\n  \n{"id":"b\u2028c","score":2}');
  expect(await readJsonl(path, row)).toEqual([
    { id: "a", score: 1 },
    { id: "b\u2028c", score: 2 },
  ]);
});

test("returns what the schema makes of a row", async () => {
  const path = await written('{"id":"a","score":1,"more":true}\n');
  const schema = row.transform(({ id }) => id.toUpperCase());
  expect(await readJsonl(path, schema)).toEqual(["A"]);
});

test("names file and line of malformed JSON", async () => {
  const path = await written('{"id":"a","score":1}\n\n{"id":"b",\n');
  expect(await messageOf(readJsonl(path, row))).toMatch(
    /^file-malformed: The line is not JSON \(at rows\.jsonl:3\)\. Expected: one JSON value on the line\. Got: \{"id":"b", \(.+\)\. Correct the line/,
  );
});

test.each([
  ['{"id":"a","score":NaN}', "NaN"],
  ['{"id":"a","score":-Infinity}', "-Infinity"],
])("explains the bare number in %s", async (line, number) => {
  const path = await written(`{"id":"a","score":1}\n${line}\n`);
  expect(await messageOf(readJsonl(path, row))).toBe(
    `file-malformed: The line is not JSON (at rows.jsonl:2). Expected: one JSON value on the line. Got: a bare ${number}, which is not JSON. Write null instead; in Python, \`json.dumps(row, allow_nan=False)\` raises at the value.`,
  );
});

test("reads a bare number that JSON has no word for as null, where that is asked for", async () => {
  const path = await written(
    '{"id":"a, NaN \\"NaN\\"","score":NaN}\n{"id":"b","score":[-Infinity,1,Infinity]}\n',
  );
  const either = z.object({ id: z.string(), score: z.unknown() });
  expect(await readJsonl(path, either, { bareNonFinite: "null" })).toEqual([
    { id: 'a, NaN "NaN"', score: null },
    { id: "b", score: [null, 1, null] },
  ]);
});

test("unpacks gzip by its first bytes, and says when it was cut off", async () => {
  const packed = gzipSync('{"id":"a","score":1}\n\n{"id":"b","score":"high"}\n');
  expect(await messageOf(readJsonl(await written(packed), row))).toContain(
    "(at rows.jsonl:3, field",
  );
  expect(await messageOf(readJsonl(await written(packed.subarray(0, 30)), row))).toBe(
    "file-malformed: The gzip file is truncated or corrupt (at rows.jsonl). Got: unexpected end of file. Download or write it again.",
  );
});

test("does not take the word NaN in a text for a number", async () => {
  const path = await written('{"id":"a \\"NaN\\" b","score":1\n');
  expect(await messageOf(readJsonl(path, row))).not.toContain("a bare");
});

test("looks for such words in time linear in a line, whatever its quotes and backslashes", async () => {
  const either = z.object({ id: z.string(), score: z.null() });
  const score = '"score":NaN';
  for (const text of ["\\\\", '\\"', '\\"NaN', "NaN ", '",']) {
    const path = await written(`{${score},"id":"${text.repeat(500_000)}"}`);
    const start = process.cpuUsage();
    const rows = await readJsonl(path, either, { bareNonFinite: "null" }).catch(() => []);
    const { user } = process.cpuUsage(start);
    expect(rows).toHaveLength(text === '",' ? 0 : 1);
    expect(user / 1e6).toBeLessThan(10);
  }
});

test("names the field of a row that breaks the schema, and how much else is wrong", async () => {
  const path = await written('{"id":"a","score":1}\n{"id":7,"score":"high"}\n');
  expect(await messageOf(readJsonl(path, row))).toMatchInlineSnapshot(
    `"file-malformed: The row does not have the declared shape (at rows.jsonl:2, field \`id\`). Expected: a string. Got: 7. Correct it and 1 more in this row."`,
  );
});

test("says that a file is missing, empty, or not UTF-8", async () => {
  expect(await messageOf(readJsonl(join(folder, "absent.jsonl"), row))).toMatch(
    /^file-missing: The file cannot be read \(at absent\.jsonl\)\. Got: ENOENT/,
  );
  expect(await messageOf(readJsonl(await written("\n \n"), row))).toBe(
    "file-malformed: The file holds no rows (at rows.jsonl). Check that the file was written or downloaded completely.",
  );
  expect(await messageOf(readJsonl(await written(new Uint8Array([0x50, 0x4b, 0xff])), row))).toBe(
    "file-malformed: The file is not UTF-8 text (at rows.jsonl:1). Convert it to UTF-8; if it is compressed with anything but gzip, decompress it first.",
  );
});
