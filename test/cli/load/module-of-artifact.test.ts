import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileArtifact, readArtifact, writeArtifact } from "espalier/artifact";
import { runMain } from "../../support/run-main.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { answerer } from "../fixtures/towns.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const project = join(folder.path, "project");
const input = JSON.stringify({ question: "Where?", passages: [] });
const marker = join(folder.path, "was-run");

/** A module that tells that it was run. */
const program = `
  import { writeFileSync } from "node:fs";
  writeFileSync(${JSON.stringify(marker)}, "");
  export { answerer } from ${JSON.stringify(join(process.cwd(), "test/cli/fixtures/towns.ts"))};
`;

async function artifactNaming(module: string, place = "artifacts/a.json"): Promise<string> {
  const path = join(project, place);
  const lm = { provider: "rehearsal", model: "rehearsal" };
  await writeArtifact(
    path,
    compileArtifact({ program: answerer, module, lm, samples: {}, run: {} }),
  );
  return path;
}

beforeAll(async () => {
  await mkdir(join(project, "src"), { recursive: true });
  await writeFile(join(project, "package.json"), "{}");
  await writeFile(join(project, "src", "answerer.ts"), program);
  await writeFile(join(folder.path, "outside.ts"), program);
  await mkdir(join(project, "node_modules", "guest"), { recursive: true });
  await writeFile(join(project, "node_modules", "guest", "index.mjs"), program);
  await symlink(join(folder.path, "outside.ts"), join(project, "src", "link.ts"));
});

// In a process of its own, since a module is run once in each.
const wasRun = async (words: readonly string[]) => {
  await rm(marker, { force: true });
  const result = await runMain(words);
  return { ...result, wasRun: existsSync(marker) };
};

describe("the module that an artifact names", () => {
  it("is loaded from anywhere below the artifact's project", async () => {
    const path = await artifactNaming("../src/answerer.ts");
    const { code, wasRun: isRun } = await wasRun(["run", path, "--input", input]);
    expect({ code, isRun }).toEqual({ code: 0, isRun: true });
  });

  it.each([
    ["above it", "../../outside.ts"],
    ["through a link", "../src/link.ts"],
  ])("is not run from outside of it: %s", async (_, module) => {
    const path = await artifactNaming(module);
    for (const words of [
      ["run", path, "--input", input],
      ["show", path, "--predictor", "answer", "--input", input],
    ]) {
      const { code, stderr, wasRun: isRun } = await wasRun(words);
      expect({ code, isRun }).toEqual({ code: 2, isRun: false });
      expect(stderr).toContain("module-untrusted: The artifact refers to a module outside");
      expect(stderr).toContain("--trust-module");
    }
  });

  it("is run from outside of it with --trust-module", async () => {
    const path = await artifactNaming("../../outside.ts");
    const words = ["run", path, "--trust-module", "--input", input];
    const { code, wasRun: isRun } = await wasRun(words);
    expect({ code, isRun }).toEqual({ code: 0, isRun: true });
  });

  it.each([
    ["by its name", "typescript/lib/tsc.js"],
    ["by its path", "../node_modules/guest/index.mjs"],
  ])("is not run from an installed package unasked: %s", async (_, module) => {
    const path = await artifactNaming(module);
    for (const words of [
      ["run", path, "--input", input],
      ["show", path, "--predictor", "answer", "--input", input],
    ]) {
      const { code, stdout, stderr, wasRun: isRun } = await wasRun(words);
      expect({ code, isRun, stdout }).toEqual({ code: 2, isRun: false, stdout: "" });
      expect(stderr).toContain("module-untrusted: The artifact refers to");
      expect(stderr).toContain("--trust-module");
    }
  });

  it("may be any package with --trust-module", async () => {
    const path = await artifactNaming("zod");
    const { stderr } = await runMain(["run", path, "--trust-module", "--input", input]);
    expect(stderr).toContain('study-invalid: "zod" exports no program');
  });

  it("is not run from above where no package.json says what the project is", async () => {
    const bare = join(folder.path, "bare");
    await mkdir(bare);
    await cp(await artifactNaming("../outside.ts"), join(bare, "a.json"));
    const { code, wasRun: isRun } = await wasRun(["run", join(bare, "a.json"), "--input", input]);
    expect({ code, isRun }).toEqual({ code: 2, isRun: false });
  });

  it("may be espalier itself, and no file that is reached by a package's name", async () => {
    const path = await artifactNaming("espalier");
    expect((await runMain(["run", path, "--input", input])).stderr).toContain(
      'study-invalid: "espalier" exports no program',
    );
    for (const module of ["espalier/../outside.ts", "espalier/%2e%2e/outside.ts", "a/./b"]) {
      const text = (await readFile(path, "utf8")).replace(
        '"module": "espalier"',
        `"module": ${JSON.stringify(module)}`,
      );
      const changed = join(project, "changed.json");
      await writeFile(changed, text);
      await expect(readArtifact(changed)).rejects.toMatchObject({ code: "artifact-invalid" });
      expect((await runMain(["run", changed, "--input", input])).stderr).toContain(
        "expected a package or a relative path",
      );
    }
  });
});
