import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openResultFile, readRows } from "espalier/serve";
import { expect, test } from "vitest";
import { batchRows } from "../../../programs/r2rag/mmu-rag/batch-rows.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const readQuestions = (path: string) => readRows(path, batchRows.row, batchRows.idName);
const openResults = (path: string) => openResultFile(path, batchRows);

async function problem(action: (path: string) => Promise<unknown>, content: string) {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "rows.jsonl");
  await writeFile(path, content);
  const error: unknown = await action(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return String(error instanceof Error ? error.message : error).replaceAll(folder.path, "FOLDER");
}

test("questions with one iid are refused with both lines, blank ones counted", async () => {
  const message = await problem(
    readQuestions,
    '{"query":"A","iid":1}\n\n{"query":"B","iid":"1"}\n',
  );
  expect(message).toContain('"1" again, first on line 1');
  expect(message).toContain("FOLDER/rows.jsonl:3");
});

test("an empty question is refused with its line", async () => {
  const message = await problem(readQuestions, '{"query":"A","iid":1}\n{"query":" ","iid":2}\n');
  expect(message).toContain("FOLDER/rows.jsonl:2, field `query`");
});

test("a line that is no result is refused, except a torn last one", async () => {
  const whole = '{"query_id":"a","generated_response":"A"}\n';
  expect(await problem(openResults, `${whole}{"query_id":"b"}\n${whole}`)).toContain(
    "FOLDER/rows.jsonl:2",
  );

  await using folder = await temporaryFolder();
  const path = join(folder.path, "rows.jsonl");
  await writeFile(path, `${whole}{"query_id":"b","generated_response":"\u00e9`);
  await using results = await openResults(path);
  expect([...results.done]).toEqual(["a"]);
  expect(await readFile(path, "utf8")).toBe(whole);
});

test("a last line that lacks nothing but its end is kept", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "rows.jsonl");
  await writeFile(path, '{"query_id":2,"generated_response":"B"}');
  await using results = await openResults(path);
  results.append({ query_id: 1, generated_response: "A", citations: [], contexts: [] });
  await results.putInOrder([1, 2]);
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { query_id: number }).query_id)).toEqual([1, 2]);
});
