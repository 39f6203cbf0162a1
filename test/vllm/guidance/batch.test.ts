import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { CliResult } from "../../support/run-cli.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { apiKey } from "../support/server-kinds.ts";
import { test } from "../support/vllm-test.ts";

const rows = [1, 2, 3].map((row) => ({
  id: `q${row}`,
  input: { question: `Which town is ${row}?` },
}));

async function batch(folder: string, lm: string): Promise<CliResult> {
  const input = join(folder, "questions.jsonl");
  await writeFile(input, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const options = [
    "test/cli/fixtures/batch-serving.ts",
    "--model=towns/answerer",
    `--input=${input}`,
    `--out=${join(folder, "result.jsonl")}`,
    `--lm=${lm}`,
    "--cache=none",
    "--patience=0",
  ];
  return runCli(["batch", ...options], { env: { ESPALIER_API_KEY: apiKey } });
}

test("a batch writes a line for each question", async ({ guidance }) => {
  await using folder = await temporaryFolder();
  const { code, stderr } = await batch(folder.path, `${guidance.baseUrl}#${guidance.model}`);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const result = await readFile(join(folder.path, "result.jsonl"), "utf8");
  const ids = result
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { id: string }).id);
  expect(ids).toEqual(["q1", "q2", "q3"]);
});

// `--model` names the chat model of the serving in this command.
test("a batch on a server of two models asks for the right option", async ({ guidance }) => {
  await using folder = await temporaryFolder();
  const { stderr } = await batch(folder.path, guidance.baseUrl);
  expect(stderr).toContain("--lm URL#MODEL");
});
