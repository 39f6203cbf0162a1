import type { StandIn } from "../stand-in/index.ts";
import { standInsAmong } from "../stand-in/index.ts";
import type { Artifact } from "./file/artifact.ts";

/** The stand-ins that an artifact was compiled with. One compiled in code may name only the LM. */
export function standInsOfArtifact({
  compiled,
  run,
}: Pick<Artifact, "compiled" | "run">): readonly StandIn[] {
  const named = (run as { readonly standIns?: unknown } | null)?.standIns;
  return Array.isArray(named) ? (named as StandIn[]) : standInsAmong({ lm: compiled.lm });
}

/** When an artifact's run ended, ISO 8601; `null` if the artifact does not say. */
export function artifactCreatedAt({ run }: Artifact): string | null {
  const time = run["finishedAt"];
  return typeof time === "string" && !Number.isNaN(Date.parse(time)) ? time : null;
}
