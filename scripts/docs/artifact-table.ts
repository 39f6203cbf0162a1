import { basename, join } from "node:path";
import { z } from "zod";
import type { Artifact } from "espalier/artifact";
import { openRegistry } from "espalier/artifact";
import { withBlock } from "./with-block.ts";

/** An artifact of the registry, with its path relative to the repository's root. */
export interface ShippedArtifact {
  readonly path: string;
  readonly artifact: Artifact;
}

/** All artifacts of a registry, by program and version. */
export async function shippedArtifacts(folder: string): Promise<readonly ShippedArtifact[]> {
  const registry = openRegistry(folder);
  const found: ShippedArtifact[] = [];
  for (const program of await registry.programs()) {
    for (const entry of await registry.list(program)) {
      if (entry.state === "unreadable") throw entry.problem;
      found.push({
        path: join("artifacts", program, `${entry.version}.json`),
        artifact: entry.artifact,
      });
    }
  }
  return found;
}

/** `page` with the block between the two marks replaced by the artifacts' figures. */
export function withArtifactTable(page: string, artifacts: readonly ShippedArtifact[]): string {
  return withBlock(page, "artifacts", artifactTable(artifacts));
}

function artifactTable(artifacts: readonly ShippedArtifact[]): string {
  return [
    "| study | artifact | metric on test, rehearsal | seed | optimized | paired difference, 95 % |",
    "| --- | --- | --- | --- | --- | --- |",
    ...artifacts.map(({ path, artifact }) => artifactRow(path, artifact)),
  ].join("\n");
}

function artifactRow(path: string, { compiled, run }: Artifact): string {
  const { seedOnTest, comparison, isRehearsal } = reported.parse(run);
  if (!isRehearsal) throw new Error(`${path} was not made with the rehearsal LM.`);
  const study = basename(compiled.program.module ?? "", ".ts");
  const [optimized] = scores.parse(compiled.scores);
  return [
    "",
    `\`${study}\`, ${compiled.optimizer?.name ?? "as declared"}`,
    `[${compiled.program.name}](../${path})`,
    `\`${optimized.metric.name}\`${comparison === null ? "" : `, ${comparison.examples} examples`}`,
    withInterval(seedOnTest.value, seedOnTest.interval),
    withInterval(optimized.value, optimized.interval),
    comparison === null
      ? "nothing changed"
      : `${withInterval(comparison.difference, comparison.interval, "+")}, ${verdicts[comparison.verdict]}`,
    "",
  ]
    .join(" | ")
    .trim();
}

const interval = z.object({ low: z.number(), high: z.number() });
const score = z.object({ metric: z.object({ name: z.string() }), value: z.number(), interval });
const scores = z.tuple([score], score);
const verdicts = { better: "better", worse: "worse", undecided: "not shown to differ" } as const;
const reported = z.object({
  isRehearsal: z.boolean(),
  seedOnTest: score,
  comparison: z
    .object({
      difference: z.number(),
      interval,
      verdict: z.enum(["better", "worse", "undecided"]),
      examples: z.number(),
    })
    .nullable(),
});

/** Formats a value like the command line does. */
function withInterval(
  value: number,
  { low, high }: z.infer<typeof interval>,
  plus: "+" | "" = "",
): string {
  return `${value >= 0 ? plus : ""}${value.toFixed(4)} [${low.toFixed(4)}, ${high.toFixed(4)}]`;
}
