import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { templates } from "../../../src/cli/init/start-project.ts";
import { runCli } from "../../support/run-cli.ts";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const repository = resolve(import.meta.dirname, "../../..");

// Inside of the repository, for its packages; `espalier` means this tree.
let inRepository = "";
beforeAll(async () => {
  inRepository = await mkdtemp(join(repository, ".tmp-init-"));
  await mkdir(join(inRepository, "node_modules"));
  await symlink(repository, join(inRepository, "node_modules/espalier"), "dir");
});
afterAll(() => rm(inRepository, { recursive: true, force: true }));

async function manifestAt(path: string): Promise<Record<string, Record<string, unknown>>> {
  return JSON.parse(await readFile(join(repository, path), "utf8"));
}

const scripts = { eval: "espalier eval study.ts", optimize: "espalier optimize study.ts" };

describe.each(Object.keys(templates))("a project from the template %s", (template) => {
  it("is evaluated and optimized as it is written, with the rehearsal LM", async () => {
    const folder = join(inRepository, template);
    const made = await runMain(["init", folder, "--template", template, "--yes"]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.stdout).toContain("npx espalier eval study.ts");
    const evaluated = await runCli(["eval", "study.ts", "--json"], { cwd: folder });
    expect(evaluated).toMatchObject({ code: 0 });
    const result = JSON.parse(evaluated.stdout.trimEnd().split("\n").at(-1) ?? "");
    expect(result).toMatchObject({
      study: template,
      rehearsal: true,
      counts: { formatFailures: 0, notApplicable: 0, unscored: 0 },
    });
    const optimized = await runCli(["optimize", "study.ts", "--budget", "20", "--run", "run"], {
      cwd: folder,
    });
    expect(optimized).toMatchObject({ code: 0 });
    expect(optimized.stdout).toContain("artifact run/artifact.json");
  });

  it("says in its README which files it has", async () => {
    const folder = join(repository, "templates", template);
    const readme = await readFile(join(folder, "README.md"), "utf8");
    const files = (await readdir(folder)).filter((name) => name !== "README.md");
    for (const name of files) expect(readme).toContain(`\`${name}`);
  });
});

it("starts with the extractor where nothing is said, and in the working folder", async () => {
  await using folder = await temporaryFolder();
  const { code, stdout } = await runMain(["init"], { cwd: folder.path });
  expect(code).toBe(0);
  expect(stdout).not.toContain("cd ");
  expect(await readdir(folder.path)).toEqual(expect.arrayContaining(["extractor.ts", "study.ts"]));
  const manifest = JSON.parse(await readFile(join(folder.path, "package.json"), "utf8"));
  expect(manifest).toMatchObject({
    type: "module",
    scripts: { ...scripts, check: "tsc --noEmit", test: "node --test" },
    dependencies: { espalier: expect.any(String), zod: expect.any(String) },
    devDependencies: {
      "@espalier/local": expect.any(String),
      "@espalier/rehearsal": expect.any(String),
    },
  });
  // The engine and its versions are those that this repository tries.
  const { overrides } = await manifestAt("package.json");
  const { peerDependencies } = await manifestAt("packages/local/package.json");
  expect(manifest).toMatchObject({
    devDependencies: { "node-llama-cpp": peerDependencies?.["node-llama-cpp"] },
    overrides: { "node-llama-cpp": overrides?.["node-llama-cpp"] },
  });
});

it("adds to the package.json of `npm init -y` what it lacks, and says so", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "package.json");
  const written = {
    name: "mine",
    version: "1.0.0",
    main: "index.js",
    scripts: { test: 'echo "Error: no test specified" && exit 1', eval: "mine" },
    type: "commonjs",
    dependencies: { zod: "4.3.0" },
  };
  await writeFile(path, JSON.stringify(written));
  const { code, stdout } = await runMain(["init", "--yes"], { cwd: folder.path });
  expect(code).toBe(0);
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({
    name: "mine",
    main: "index.js",
    type: "module",
    scripts: { test: "node --test", eval: "mine", optimize: scripts.optimize },
    dependencies: { zod: "4.3.0" },
  });
  expect(stdout).toContain(
    'package.json: set "type" to "module" (was "commonjs"): .js files are now read as ES modules.',
  );
  expect(stdout).toContain("package.json: added to scripts: optimize, check, test.");
  expect(stdout).toContain("package.json: added to dependencies: espalier.");
});

it("overwrites nothing, and says which files stand", async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, "examples"));
  await writeFile(join(folder.path, "study.ts"), "mine");
  await writeFile(join(folder.path, "examples/val.jsonl"), "mine");
  const { stdout } = await runMain(["init", folder.path, "--yes"]);
  expect(stdout).toContain("Left unchanged: examples/val.jsonl, study.ts.");
  expect(await readFile(join(folder.path, "study.ts"), "utf8")).toBe("mine");
  expect(await readFile(join(folder.path, "examples/val.jsonl"), "utf8")).toBe("mine");
  const again = await runMain(["init", folder.path, "--yes"]);
  expect(again.code).toBe(0);
  expect(again.stdout).toContain(`Nothing to write to ${folder.path}.`);
});

it("refuses what it cannot do, before it writes anything", async () => {
  await using folder = await temporaryFolder();
  const unknown = await runMain(["init", folder.path, "--template", "agent-swarm"]);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain("Expected: extractor, text-to-sql, rag");
  expect(await readdir(folder.path)).toEqual([]);
  await writeFile(join(folder.path, "package.json"), "{ name: ");
  const malformed = await runMain(["init", folder.path]);
  expect(malformed.code).toBe(2);
  expect(malformed.stderr).toContain("file-malformed");
  expect(await readdir(folder.path)).toEqual(["package.json"]);
  const file = await runMain(["init", join(folder.path, "package.json")]);
  expect(file.stderr).toContain("write-failed");
});
