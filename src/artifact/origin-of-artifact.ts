import type { Mock } from "../mock/index.ts";
import { mocksAmong } from "../mock/index.ts";
import type { Artifact } from "./file/artifact.ts";

/** The mocks that an artifact was compiled with. One compiled in code may name only the LM. */
export function mocksOfArtifact({
  compiled,
  run,
}: Pick<Artifact, "compiled" | "run">): readonly Mock[] {
  const named = (run as { readonly mocks?: unknown } | null)?.mocks;
  return Array.isArray(named) ? (named as Mock[]) : mocksAmong({ lm: compiled.lm });
}

/** When an artifact's run ended, ISO 8601; `null` if the artifact does not say. */
export function artifactCreatedAt({ run }: Artifact): string | null {
  const time = run["finishedAt"];
  return typeof time === "string" && !Number.isNaN(Date.parse(time)) ? time : null;
}
