import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resolve } from "node:path";
import { modelServer } from "../../support/model-server.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { tableIn } from "./support.ts";

const near = resolve("test/cli/fixtures/near-experiment.ts");
const quick = ["--sample", "4", "--cache", "none", "--patience", "0"];

test("with nothing configured, each row names in the table every mock that it takes", async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const { code, lines, stdout } = await runMain(["experiment", near, ...quick, "--run", "run"], {
    cwd,
  });
  expect(code).toBe(0);
  const rows = lines.filter((line) => line.startsWith("| near |") || line.startsWith("| given |"));
  expect(rows).toEqual([
    expect.stringContaining("| mocks: LM (rehearsal), embedder (rehearsal), reranker (lexical) |"),
    // It takes no part but the LM.
    expect.stringMatching(/\| mocks: LM \(rehearsal\) \|/),
  ]);
  expect(stdout).toMatch(/\*\*rehearsal: figures from the rehearsal LM show/);
  const table = await tableIn(join(cwd, "run"));
  expect(table.rows.map(({ mocks }) => mocks.map(({ part }) => part))).toEqual([
    ["lm", "embedder", "reranker"],
    ["lm"],
  ]);
});

test("with a servers file that names all parts, it names no mock", async () => {
  await using server = await modelServer("real");
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const text = { url: server.baseUrl, model: "real" };
  const file = {
    format: "espalier-servers/1",
    lms: {
      one: { ...text, price: { promptUsdPerMillion: 1, completionUsdPerMillion: 2 } },
    },
    roles: { answer: "one" },
    embedder: text,
    reranker: text,
  };
  await writeFile(join(cwd, "espalier.servers.json"), JSON.stringify(file));
  const ended = await runMain(["experiment", near, ...quick, "--run", "run"], { cwd });
  expect(ended.code).toBe(0);
  expect(ended.stdout + ended.stderr).not.toMatch(/mock|rehearsal/);
  const { rows, costs } = await tableIn(join(cwd, "run"));
  expect(rows.flatMap(({ mocks }) => mocks)).toEqual([]);
  // By the prices of the servers file.
  expect(costs.usd).toBeCloseTo((costs.promptTokens + 2 * costs.completionTokens) / 1e6, 9);
  expect(costs.usd).toBeGreaterThan(0);
});
