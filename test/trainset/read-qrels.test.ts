import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readQrels } from "../../src/trainset/index.ts";
import { sharedData } from "../support/shared-data.ts";
import { thrownBy } from "../support/thrown-by.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "espalier-qrels-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(content: string): Promise<string> {
  const path = join(folder, "qrels.tsv");
  await writeFile(path, content);
  return path;
}

async function messageOf(reading: Promise<unknown>): Promise<string> {
  const { code, message } = await thrownBy(() => reading);
  return `${code}: ${message.replaceAll(`${folder}/`, "")}`;
}

test("reads the BEIR layout by any white space under its header", async () => {
  const path = await written("query-id corpus-id score\nq1 a 1\nq1\tb\t0\n");
  expect(Object.fromEntries(await readQrels(path))).toEqual({ q1: { a: 1, b: 0 } });
});

test("reads the TREC layout, by spaces or tabs", async () => {
  const path = await written("q1 0 a 1\nq1\t0\tb\t0\r\nq2 Q0 a -1");
  expect(Object.fromEntries(await readQrels(path))).toEqual({ q1: { a: 1, b: 0 }, q2: { a: -1 } });
});

test("reads the BEIR layout, with its header and without", async () => {
  const rows = "q<::>1\tdoc one\t2\nq<::>1\t__proto__\t1\n";
  const expected = [
    [
      "q<::>1",
      Object.fromEntries([
        ["doc one", 2],
        ["__proto__", 1],
      ]),
    ],
  ];
  expect([...(await readQrels(await written(`query-id\tcorpus-id\tscore\n${rows}`)))]).toEqual(
    expected,
  );
  expect([...(await readQrels(await written(rows)))]).toEqual(expected);
});

test.each([
  ["two columns", "q1 a"],
  ["three columns without tabs", "q1 a 1"],
  ["a grade that is not whole", "q1\ta\t0.5"],
  ["a header after the first line", "q1\ta\t1\nquery-id\tcorpus-id\tscore"],
])("refuses %s, with the line", async (_what, content) => {
  const lastLine = content.split("\n").length;
  expect(await messageOf(readQrels(await written(content)))).toContain(
    `file-malformed: The line is not a relevance judgement (at qrels.tsv:${lastLine})`,
  );
});

test.each([
  ["nothing", "\n", "The file holds no rows (at qrels.tsv)."],
  [
    "its header alone",
    "query-id\tcorpus-id\tscore\n",
    "The file holds no relevance judgements (at qrels.tsv). Expected: one line for each judged passage of a query. Got: only a header.",
  ],
])("refuses a file that holds %s", async (_what, content, sentence) => {
  expect(await messageOf(readQrels(await written(content)))).toBe(
    `file-malformed: ${sentence} Check that the file was written or downloaded completely.`,
  );
});

test("refuses a file that is not there", async () => {
  expect(await messageOf(readQrels(join(folder, "absent.tsv")))).toMatch(
    /^file-missing: The file cannot be read \(at absent\.tsv\)\. Got: ENOENT.* Check the path/,
  );
});

test("refuses two grades for one passage, and accepts the same row twice", async () => {
  expect(await messageOf(readQrels(await written("q 0 a 1\nq 0 a 2")))).toContain(
    "file-malformed: Query `q` judges passage `a` twice (at qrels.tsv:2). Expected: grade 1, as before. Got: grade 2.",
  );
  expect((await readQrels(await written("q 0 a 1\nq 0 a 1"))).get("q")).toEqual({ a: 1 });
});

const clapnq = sharedData("mtrag/qrels/clapnq.tsv");

test.skipIf(clapnq.isAbsent)(`reads a published qrels file whole${clapnq.note}`, async () => {
  const qrels = await readQrels(clapnq.file);
  const judged = [...qrels.values()].flatMap((grades) => Object.values(grades));
  expect([qrels.size, judged.length, new Set(judged)]).toEqual([208, 578, new Set([1])]);
});
