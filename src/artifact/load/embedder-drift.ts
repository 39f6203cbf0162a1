import type { DemonstrationVectors } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import { joinNames } from "../../internal/index.ts";
import type { Predictors } from "../../program/index.ts";
import type { Artifact, Compiled } from "../file/artifact.ts";
import type { Drift } from "./drift.ts";
import { changed } from "./drift.ts";

/**
 * Predictors whose demonstrations were embedded by another embedder than they now have: its vectors
 * would be compared with those of another space. A predictor without one is no drift.
 */
export function embedderDrift(compiled: Compiled, predictors: Predictors): readonly Drift[] {
  return vectorsIn(compiled).flatMap(({ path, by }) => {
    const now = predictors[path]?.embedder;
    if (!now) return [];
    const { provider, model } = now.identity;
    return changed(`embedder of predictor "${path}"`, by.embedder, { provider, model });
  });
}

/** The model of the embedder that an artifact needs; `null` if it needs none. */
export function embedderOf({ compiled }: Artifact): DemonstrationVectors["embedder"] | null {
  return vectorsIn(compiled)[0]?.by.embedder ?? null;
}

/** @throws EspalierError `part-missing` if a predictor needs an embedder and has none */
export function checkEmbedders({ hash, compiled }: Artifact, predictors: Predictors): void {
  const without = vectorsIn(compiled).filter(({ path }) => predictors[path]?.embedder === null);
  const [first] = without;
  if (first === undefined) return;
  const { provider, model } = first.by.embedder;
  throw new EspalierError({
    code: "part-missing",
    problem: `The artifact chooses the demonstrations of ${joinNames(without.map(({ path }) => path))} by an embedder, and the program has none`,
    where: `artifact ${hash.slice(0, 12)} of program "${compiled.program.name}" ${compiled.program.version}`,
    expected: `the embedder \`${model}\` (${provider})`,
    fix: "Give it to the program, `program.withEmbedder(embedder)`, or name it as `embedder` in espalier.servers.json",
  });
}

function vectorsIn({
  components,
}: Compiled): readonly { readonly path: string; readonly by: DemonstrationVectors }[] {
  return components.flatMap((component) => {
    const by = component.kind === "demos" ? component.nearest?.by : undefined;
    return by === undefined || by === "words" ? [] : [{ path: component.path, by }];
  });
}
