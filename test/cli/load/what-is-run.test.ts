import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { compileArtifact, writeArtifact } from "espalier/artifact";
import serving from "../fixtures/batch-serving.ts";
import { isServing } from "espalier/serve";
import { loadDefault } from "../../../src/cli/load/load-default.ts";
import { loadProgram } from "../../../src/cli/load/load-program.ts";
import { withCandidate } from "../../../src/cli/load/candidate-file.ts";
import { loadServing } from "../../../src/cli/load/load-serving.ts";
import { runMain } from "../../support/run-main.ts";
import { unaskedParts } from "../../../src/cli/lm/unasked-parts.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { thrownBy } from "../../support/thrown-by.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const file = "test/cli/fixtures/batch-serving.ts";
const told = { kind: "instruction", path: "answer", value: "Answer like a sailor." } as const;

it("a run's folder stands for its artifact, as the program and as the candidate", async () => {
  const program = serving.models[0]?.program as never;
  const lm = { provider: "openai-compatible", model: "m" };
  const artifact = compileArtifact({ program, candidate: [told], lm, samples: {} });
  await writeArtifact(join(folder.path, "artifact.json"), artifact);
  const source = { study: file, "trust-module": false, parts: await unaskedParts() };
  const loaded = await loadProgram(folder.path, source);
  expect(loaded.program.components()).toContainEqual(told);
  const replaced = await withCandidate(program as typeof loaded.program, folder.path);
  expect(replaced.components()).toContainEqual(told);
});

it("a program alone is told from a file without one", async () => {
  const alone = join(folder.path, "program.mjs");
  await writeFile(
    alone,
    "const f = () => {};\nexport default { attempt: f, with: f, render: f, components: f };\n",
  );
  const refused = await thrownBy(() => loadDefault(alone, "study", { guard: isServing }));
  expect(refused.code).toBe("study-invalid");
  expect(refused.message).toContain("default-exports only a program");
  expect(refused.message).toContain("Put it in a study");
});

it("a program without a study is run, shown and served, and evaluated by no command", async () => {
  const alone = join(folder.path, "alone.ts");
  const towns = resolve("test/cli/fixtures/towns.ts");
  await writeFile(alone, `export { answerer as default } from ${JSON.stringify(towns)};\n`);
  const input = '{"question":"Who built the mill?","passages":[]}';
  const shown = await runMain(["show", alone]);
  expect(shown.stdout).toMatch(/^program answerer 1\n\njudge = predict\(judge-evidence\)/);
  expect(JSON.parse((await runMain(["show", alone, "--json"])).stdout)).not.toHaveProperty("study");
  const prompt = ["show", alone, "--predictor", "answer", "--input", input];
  expect((await runMain(prompt)).stdout).toContain("Who built the mill?");
  const run = await runMain(["run", alone, "--input", input]);
  expect(JSON.parse(run.stdout)).toEqual({ answer: expect.any(String) as string });
  const { models } = await loadServing(alone, { parts: await unaskedParts() });
  expect(models.map(({ id }) => id)).toEqual(["answerer"]);
  const varied = await runMain(["run", alone, "--input", input, "--trainset", "other"]);
  expect(varied).toMatchObject({ code: 2 });
  expect(varied.stderr).toContain("has no variants, since its default export is not a study");
  const refused = await runMain(["eval", alone]);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain(
    "`run`, `show`, `serve` and `batch` also take a program by itself",
  );
});

it("a file whose program has a name is told that a default export of it is enough", async () => {
  const named = join(folder.path, "named.ts");
  const towns = resolve("test/cli/fixtures/towns.ts");
  await writeFile(named, `export { answerer } from ${JSON.stringify(towns)};\n`);
  const commands = [
    ["show", named],
    ["run", named, "--input", "{}"],
    ["serve", named],
  ];
  for (const command of commands) {
    const { code, stderr } = await runMain(command);
    expect(code).toBe(2);
    expect(stderr).toMatch(/does not default-export a (study|serving) or a program/);
    expect(stderr).toContain("Expected: `export default program({ ... })`, `export default");
    expect(stderr).toContain("Got: the exports answerer");
  }
  const { stderr } = await runMain(["eval", named]);
  expect(stderr).not.toContain("export default program");
});
