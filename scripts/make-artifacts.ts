/**
 * `npm run artifacts`: optimizes a study of each system with the embedded rehearsal LM, stores the
 * result in `artifacts/`, one version of each program, and writes its figures into
 * programs/README.md. `-- hanrag r2rag` makes only those two, `-- --budget small` uses a smaller
 * budget.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRegistry, readArtifact, versionOf } from "espalier/artifact";
import { shippedStudies } from "./artifacts/shipped-studies.ts";
import { shippedArtifacts, withArtifactTable } from "./docs/artifact-table.ts";
import { refuse, scriptOptions } from "./support/script-options.ts";

const studies = shippedStudies.map(({ study }) => study);
const help = {
  command: "npm run artifacts",
  about:
    "Optimizes the shipped studies with the rehearsal LM and stores the artifacts as examples.",
  options: { budget: { about: "Budget that replaces each study's own", value: "BUDGET" } },
  positionals: `[${studies.join(" | ")}]...`,
};
const { values, positionals } = scriptOptions(help);
const unknown = positionals.find((name) => !studies.includes(name));
if (unknown !== undefined) refuse(`Unknown study "${unknown}".`, help);
const registry = openRegistry("artifacts");
const chosen = shippedStudies.filter(
  ({ study }) => positionals.length === 0 || positionals.includes(study),
);
for (const { study, budget } of chosen) await make(study, values.budget ?? budget);

const page = "programs/README.md";
const artifacts = await shippedArtifacts("artifacts");
await writeFile(page, withArtifactTable(await readFile(page, "utf8"), artifacts));

async function make(study: string, budget: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "espalier-artifacts-"));
  // At the same depth as the registry's files, because the hash covers the program's relative path.
  const out = join("artifacts", ".made", "artifact.json");
  try {
    optimize(study, budget, { run: join(folder, "run"), out });
    const artifact = await readArtifact(out);
    const { name } = artifact.compiled.program;
    const kept = (await registry.programs()).includes(name) ? await registry.list(name) : [];
    // If the content is unchanged, the first version stays: new costs and times are irrelevant.
    if (kept.length !== 1 || kept[0]?.version !== versionOf(artifact)) {
      await rm(join("artifacts", name), { recursive: true, force: true });
      // No alias points to it: an artifact optimized with a mock is not for serving.
      await registry.add(artifact);
    }
    console.log(`${study}: ${name} ${versionOf(artifact)}`);
  } finally {
    await rm(join("artifacts", ".made"), { recursive: true, force: true });
    await rm(folder, { recursive: true });
  }
}

function optimize(
  study: string,
  budget: string,
  { run, out }: { readonly run: string; readonly out: string },
): void {
  const { status } = spawnSync(
    process.execPath,
    [
      "--conditions=espalier:source",
      "src/cli/bin.ts",
      "optimize",
      `optimizers/${study}.ts`,
      "--cache",
      "none",
      `--budget=${budget}`,
      `--run=${run}`,
      `--out=${out}`,
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  if (status !== 0) throw new Error(`${study} exited with ${status}.`);
}
