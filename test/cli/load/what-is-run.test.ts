import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { compileArtifact, writeArtifact } from "espalier/artifact";
import serving from "../fixtures/batch-serving.ts";
import { isServing } from "espalier/serve";
import { loadDefault } from "../../../src/cli/load/load-default.ts";
import { loadProgram } from "../../../src/cli/load/load-program.ts";
import { withCandidate } from "../../../src/cli/load/candidate-file.ts";
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
  expect(refused.message).toContain("default-exports a program alone");
  expect(refused.message).toContain("Put it into a study");
});
