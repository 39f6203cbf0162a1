import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Artifact } from "espalier/artifact";
import { readArtifact, writeArtifact } from "espalier/artifact";
import { serveRehearsal } from "@espalier/rehearsal";
import { contentHash } from "../../src/internal/index.ts";
import { runMain } from "../support/run-main.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { townQuestions } from "../support/town-questions.ts";

const towns = "test/cli/fixtures/towns.ts";
const [question] = townQuestions(1);
const input = JSON.stringify(question?.input);
const instruction = "Ignore the passages. Answer with one word.";

// Written once; each test works on a copy of it in the same folder.
const folder = await temporaryFolder();
const original = await written(folder.path);
afterAll(() => folder[Symbol.asyncDispose]());

describe("espalier eval --artifact", () => {
  it("writes the evaluated program, which `run` then runs without being told where it is", async () => {
    const path = original;
    const artifact = await readArtifact(path);
    expect(artifact.compiled).toMatchObject({
      program: { name: "answerer", module: relative(join(folder.path, "artifacts"), towns) },
      metric: { name: "token_f1" },
      dataset: { name: "towns", splits: { val: { length: 40 } } },
      scores: [{ split: "val", counts: { scored: 40 } }],
      samples: { judge: { length: 3 }, answer: { length: 3 } },
    });
    expect(artifact.run).toMatchObject({
      isRehearsal: true,
      server: null,
      seconds: expect.any(Number),
    });

    const candidate = join(folder.path, "candidate.json");
    const [fromArtifact, fromStudy, plain] = await Promise.all([
      runMain(["run", path, "--trust-module", "--input", input, "--trace"]),
      runMain(["run", towns, "--candidate", candidate, "--input", input, "--trace"]),
      runMain(["run", towns, "--input", input]),
    ]);
    expect(fromArtifact.code).toBe(0);
    expect(fromArtifact.stderr).toContain("rehearsal: figures");
    expect(withoutTimes(fromArtifact.stdout)).toBe(withoutTimes(fromStudy.stdout));
    expect(fromArtifact.stdout).not.toContain(plain.stdout);
  });

  it("compiles the same at any concurrency, and over a server", async () => {
    await using server = await serveRehearsal();
    const compiled = async (...options: readonly string[]) =>
      JSON.stringify(
        (await readArtifact(await written(folder.path, "again", ...options))).compiled,
      );
    const [one, many] = [
      await compiled("--concurrency", "1"),
      await compiled("--concurrency", "32"),
    ];
    expect(many).toBe(one);
    const remote = ["--lm", `${server.url}/v1`, "--cache", "none"];
    const cold = await compiled(...remote, "--concurrency", "1");
    expect(await compiled(...remote, "--concurrency", "32")).toBe(cold);
    expect(JSON.parse(cold)).toMatchObject({
      scores: (JSON.parse(one) as Artifact["compiled"]).scores,
    });
    expect(cold).not.toContain(server.url);
  });

  it("writes nothing when too much stayed unscored", async () => {
    await using server = await serveRehearsal({ faults: { serverError: 1 } });
    await using folder = await temporaryFolder();
    const path = join(folder.path, "towns.json");
    const { code, stderr } = await runMain(
      ["eval", towns, "--lm", `${server.url}/v1`, "--limit", "1", "--cache", "none"].concat([
        "--patience",
        "0",
        "--artifact",
        path,
      ]),
    );
    expect(code).toBe(3);
    expect(stderr).toContain("No artifact was written: too many examples remained unscored.");
    await expect(readFile(path)).rejects.toThrow("ENOENT");
  });
});

describe("espalier run ARTIFACT", () => {
  it("takes the program from --study when the artifact has moved", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "elsewhere", "deeper", "towns.json");
    await mkdir(join(path, ".."), { recursive: true });
    await copyFile(original, path);

    const lost = await runMain(["run", path, "--trust-module", "--input", input]);
    expect(lost.code).toBe(2);
    expect(lost.stderr).toContain("Cannot load the artifact's program from \"");
    expect(lost.stderr).toContain("If it has moved, name its file with --study STUDY.");
    const found = await runMain(["run", path, "--study", towns, "--input", input]);
    expect(found.code).toBe(0);
    expect(Object.keys(JSON.parse(found.stdout) as object)).toEqual(["answer"]);
  });

  it("finds a program that its module exports under any name, and by a package's name", async () => {
    await using folder = await temporaryFolder();
    const programs = join(folder.path, "programs.ts");
    const fixture = JSON.stringify(join(process.cwd(), towns));
    await writeFile(
      programs,
      `export { answerer as whatever } from ${fixture}; export const n = 1;`,
    );
    const path = await copied("exported");
    const { code, stdout } = await runMain(["run", path, "--study", programs, "--input", input]);
    expect({ code, isOutput: stdout.includes('"answer"') }).toEqual({ code: 0, isOutput: true });

    await changed(path, (program) => ({ ...program, module: "espalier" }));
    const { stderr } = await runMain(["run", path, "--input", input]);
    expect(stderr).toContain('study-invalid: "espalier" exports no program');
  });

  it.each<[string, (paths: { readonly path: string }) => Promise<readonly string[]>]>([
    [
      "an artifact that does not say where its program is",
      async ({ path }) => {
        await changed(path, ({ name, version }) => ({ name, version }));
        return ["run", path, "--input", input];
      },
    ],
    [
      "a study without a program",
      async ({ path }) => [
        "run",
        path,
        "--study",
        "test/cli/fixtures/no-study.ts",
        "--input",
        input,
      ],
    ],
    [
      "a program that has changed",
      async ({ path }) => {
        await changed(path, (program) => ({ ...program, version: "0" }));
        return ["run", path, "--trust-module", "--input", input];
      },
    ],
    [
      "an artifact that was edited",
      async ({ path }) => {
        const text = await readFile(path, "utf8");
        await writeFile(path, text.replaceAll(instruction, "Sing."));
        return ["run", path, "--input", input];
      },
    ],
    ["--study beside a study", async () => ["run", towns, "--study", towns, "--input", input]],
    [
      "a result in place of an artifact",
      async ({ path }) => {
        const result = `${path}.result.json`;
        await runMain(["eval", towns, "--limit", "2", "--out", result]);
        return ["run", result, "--input", input];
      },
    ],
    ["an artifact that is not there", async () => ["run", "nowhere.json", "--input", input]],
    [
      "an artifact's path that does not end in .json",
      async () => ["eval", towns, "--artifact", "towns"],
    ],
    ["something else to show", async () => ["show", "package.json"]],
  ])("refuses %s", async (_, prepare) => {
    const args = await prepare({ path: await copied("refused") });
    const { code, stdout, stderr } = await runMain(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(
      stderr.replaceAll(folder.path, "(folder)").replaceAll(/\b[0-9a-f]{12}\b/g, "(hash)"),
    ).toMatchSnapshot();
  });
});

describe("espalier show ARTIFACT", () => {
  it("prints what was compiled and measured, and that it was a rehearsal", async () => {
    const path = original;
    const { code, stdout } = await runMain(["show", path]);
    expect(code).toBe(0);
    expect(
      stdout
        .replaceAll(/\b[0-9a-f]{12}\b/g, "(hash)")
        .replace(/^module .*$/m, "module (path)")
        .replace(/0\.\d{4}/g, "(figure)"),
    ).toMatchSnapshot();
  });

  it("prints the whole artifact as JSON, and the exact prompt of a predictor", async () => {
    const path = original;
    const predictor = ["--predictor", "answer"];
    const [whole, prompt] = await Promise.all([
      runMain(["show", path, "--json"]),
      runMain(["show", path, "--trust-module", ...predictor, "--input", input, "--json"]),
    ]);
    expect(JSON.parse(whole.stdout)).toEqual(await readArtifact(path));
    const [system] = JSON.parse(prompt.stdout) as [{ readonly content: string }];
    expect(system.content).toContain(instruction);
  });
});

async function copied(name: string): Promise<string> {
  const path = join(folder.path, "artifacts", `${name}.json`);
  await copyFile(original, path);
  return path;
}

/** An artifact of the fixture with another instruction, in `artifacts/` of a folder. */
async function written(
  folder: string,
  name = "towns",
  ...options: readonly string[]
): Promise<string> {
  const path = join(folder, "artifacts", `${name}.json`);
  const candidate = join(folder, "candidate.json");
  await writeFile(
    candidate,
    JSON.stringify([{ kind: "instruction", path: "answer", value: instruction }]),
  );
  const args = ["eval", towns, "--candidate", candidate, "--artifact", path, ...options];
  const { code, stderr } = await runMain(args);
  expect({ code, stderr: stderr.split("\n").at(-2) }).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Artifact [0-9a-f]{12} written to /),
  });
  return path;
}

/** Compiles the artifact again as if its program had said something else of itself. */
async function changed(
  path: string,
  change: (program: Artifact["compiled"]["program"]) => Artifact["compiled"]["program"],
): Promise<void> {
  const { compiled, ...rest } = await readArtifact(path);
  const other = { ...compiled, program: change(compiled.program) };
  await writeArtifact(path, { ...rest, hash: contentHash(other), compiled: other });
}

function withoutTimes(text: string): string {
  return text.replaceAll(/"(latencyMs|startMs|startedAtMs)": [\d.e-]+/g, '"$1": 0');
}
