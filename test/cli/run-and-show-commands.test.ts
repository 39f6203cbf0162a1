import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { townQuestions } from "../support/town-questions.ts";

const towns = "test/cli/fixtures/towns.ts";
const [question] = townQuestions(1);
const input = JSON.stringify(question?.input);

describe("espalier run", () => {
  it("prints the output as JSON, from --input, a file, or standard input", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "input.json");
    await writeFile(path, input);
    const [direct, file, piped] = await Promise.all([
      runMain(["run", towns, "--input", input]),
      runMain(["run", towns, "--input", `@${path}`]),
      runCli(["run", towns, "--input", "-"], { stdin: input }),
    ]);
    expect(direct.code).toBe(0);
    expect(Object.keys(JSON.parse(direct.stdout) as object)).toEqual(["answer"]);
    expect(direct.stderr).toContain("rehearsal: figures");
    expect(file.stdout).toBe(direct.stdout);
    expect(piped.stdout).toBe(direct.stdout);
  });

  it("prints one JSON line with trace and ledger when asked", async () => {
    const { stdout } = await runMain(["run", towns, "--input", input, "--trace", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      rehearsal: true,
      lm: { provider: "rehearsal" },
      trace: { program: "answerer", children: [{ path: "judge" }, { path: "answer" }] },
      ledger: { total: { logical: { calls: 2 } } },
    });
  });
});

describe("espalier show", () => {
  it("prints what a study declares", async () => {
    const { code, stdout } = await runMain(["show", towns]);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/ {2}[0-9a-f]{12}$/gm, "  (hash)")).toMatchInlineSnapshot(`
      "towns: program answerer 1, objective token_f1
      trainset towns 1 (CC0-1.0): 20 train, 40 val, 0 test

      judge = predict(judge-evidence)  (hash)
        in   question (question): What is asked.
        in   passages (passages): Passages that were retrieved, numbered.
        out  label (answerable | unanswerable): What they allow.
        | Decide whether the passages hold the answer to the question.

      answer = reason(answer)  (hash)
        in   question (question): What is asked.
        in   passages (passages): Passages that were retrieved, numbered.
        out  reasoning (thought): Step by step thinking that leads to the other fields, in at most 100 words.
        out  answer (answer): That sentence, word for word.
        | Answer with the one sentence of the passages that answers the question.
      "
    `);
  });

  it("prints the exact prompt of a predictor without a call", async () => {
    const args = ["show", towns, "--predictor", "answer", "--input", input];
    const { stdout } = await runMain([...args, "--json"]);
    const { stdout: shown } = await runMain(args);
    const messages = JSON.parse(stdout) as { role: string; content: string }[];
    const traced = await runMain(["run", towns, "--input", input, "--trace", "--json"]);
    const { trace } = JSON.parse(traced.stdout) as {
      trace: { children: { predictor: string; calls: { messages: unknown }[] }[] };
    };
    const sent = trace.children.find(({ predictor }) => predictor === "answer")?.calls[0]?.messages;
    expect(messages).toEqual(sent);
    expect(shown).toContain("===== system\n<identity>");
  });

  it("prints components that --candidate takes back unchanged", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "candidate.json");
    const before = await runMain(["show", towns, "--json"]);
    const { components } = JSON.parse(before.stdout) as { components: unknown };
    await writeFile(path, JSON.stringify(components));
    const after = await runMain(["show", towns, "--json", "--candidate", path]);
    expect(JSON.parse(after.stdout)).toEqual(JSON.parse(before.stdout));
    expect(await readFile(path, "utf8")).toContain("judge");
  });
});

describe("espalier --help", () => {
  it("lists the commands, and the options of each", async () => {
    const [all, one] = await Promise.all([runMain(["--help"]), runMain(["eval", "--help"])]);
    expect(all.code).toBe(0);
    for (const command of ["eval", "run", "show"]) expect(all.stdout).toContain(command);
    expect(all.stdout).toMatch(/EXIT CODES\n\n {2}0 {4}done\n/);
    expect(all.stdout).toContain("  130  interrupted");
    for (const option of ["lm", "model", "seed", "concurrency", "json", "out", "baseline"]) {
      expect(one.stdout).toContain(`--${option}`);
    }
  });
});
