import type { Artifact } from "./file/artifact.ts";

/** When an artifact's run ended, ISO 8601; `null` if the artifact does not say. */
export function artifactCreatedAt({ run }: Artifact): string | null {
  const time = run["finishedAt"];
  return typeof time === "string" && !Number.isNaN(Date.parse(time)) ? time : null;
}
