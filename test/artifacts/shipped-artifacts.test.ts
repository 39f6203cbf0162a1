import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import type { Study } from "espalier";
import { loadArtifact, openRegistry } from "espalier/artifact";
import { shippedStudies } from "../../scripts/artifacts/shipped-studies.ts";
import { shippedArtifacts } from "../../scripts/docs/artifact-table.ts";

const root = resolve(import.meta.dirname, "../..");
const registry = openRegistry(resolve(root, "artifacts"));
const shipped = await shippedArtifacts(registry.folder);

test("one artifact is shipped of each study that npm run artifacts runs", async () => {
  const studies = await Promise.all(shipped.map(async (each) => (await studyOf(each)).name));
  expect(studies.toSorted()).toEqual(shippedStudies.map(({ study }) => study).toSorted());
});

describe.each(shipped)("$path", ({ path, artifact }) => {
  test("loads into the program of the study that made it, as it is now (else npm run artifacts)", async () => {
    const { program } = await studyOf({ path, artifact });
    const loaded = loadArtifact(artifact, program);
    expect(loaded.components()).toEqual(artifact.compiled.components);
    const [report] = await registry.verify(program.name, { program });
    expect(report?.problems).toEqual([]);
  });

  test("says that the rehearsal LM made it, and no alias names it", async () => {
    expect(artifact.run["isRehearsal"]).toBe(true);
    expect(artifact.compiled.lm.provider).toBe("rehearsal");
    const { production, candidate } = await registry.aliases(artifact.compiled.program.name);
    expect({ production, candidate }).toEqual({ production: null, candidate: null });
  });
});

async function studyOf({ path, artifact }: (typeof shipped)[number]): Promise<Study> {
  const file = resolve(root, dirname(path), artifact.compiled.program.module ?? "");
  return ((await import(pathToFileURL(file).href)) as { readonly default: Study }).default;
}
