import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readExamples } from "espalier/trainset";
import { z } from "zod";
import { runMain } from "../support/run-main.ts";
import { serveCli } from "../support/serve-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const study = "optimizers/text-to-sql.ts";
const question = "How many ships are at home in Anstruth?";
const sql = "SELECT COUNT(*) FROM ships WHERE town = 'Anstruth'";

it("an agent is optimized, shown, run and served from its artifact, rated, and learnt from", async () => {
  await using folder = await temporaryFolder();
  const at = (name: string): string => join(folder.path, name);
  const artifact = at("best.json");
  const ended = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runMain(args);
    expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
    return stdout;
  };

  expect(await ended("show", study)).toContain("tool  run_sql: Runs an SQL query");
  const search = ["--budget", "120", "--max-reflections", "8", "--run", at("run")];
  const report = await ended("optimize", study, ...search, "--out", artifact, "--rehearsal");
  expect(report).toMatch(/^tool: \d+ calls/m);

  expect(await ended("show", at("run"))).toMatch(/^tool: \d+ calls/m);
  const shown = await ended("show", artifact);
  expect(shown).toContain("query = agent(ask-database)");
  expect(shown).toContain("  tool  run_sql:\n    | Runs an SQL query and shows its rows.\n    | ");
  const compared = await ended("compare", at("run"), artifact, "--study", study, "--json");
  expect(compared.includes('"toolDescription:query.run_sql"')).toBe(true);

  const asked = ["--study", study, "--input", JSON.stringify({ question }), "--rehearsal"];
  const ran = await ended("run", artifact, ...asked, "--trace", "--json");
  expect(JSON.parse(ran)).toMatchObject({
    output: { sql },
    trace: { children: [{ tools: [{ tool: "list_tables" }, { tool: "run_sql" }] }] },
  });

  const [database, rows] = [at("feedback.sqlite"), at("rows.jsonl")];
  const server = await serveCli([
    artifact,
    "--study",
    study,
    "--rehearsal",
    "--feedback",
    database,
    "--state",
    "none",
  ]);
  const post = async (path: string, body: object) => {
    const response = await fetch(`${server.url}/v1/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const messages = [{ role: "user", content: question }];
  const answer = (await post("chat/completions", { model: "text-to-sql", messages })) as {
    readonly id: string;
    readonly choices: readonly { readonly message: { readonly content: string } }[];
  };
  expect(answer.choices[0]?.message.content).toBe(sql);
  await post("feedback", { id: answer.id, rating: "up" });
  expect((await server.end()).code).toBe(0);

  await ended("feedback", "to-trainset", database, "--out", rows);
  const examples = await readExamples(rows, {
    input: { question: z.string() },
    labels: { answer: z.string() },
  });
  expect(examples).toMatchObject([{ input: { question }, labels: { answer: sql } }]);
  const [trace = ""] = (await readFile(at("rows.traces.jsonl"), "utf8")).split("\n");
  expect(JSON.parse(trace)).toMatchObject({
    trace: { children: [{ tools: [{ tool: "list_tables" }, { tool: "run_sql" }] }] },
  });
});
