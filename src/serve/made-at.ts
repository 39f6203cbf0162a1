import type { Artifact } from "../artifact/index.ts";

/** When an artifact was made, ISO 8601; `null` for one that does not say. */
export function madeAt({ run }: Artifact): string | null {
  const time = run["finishedAt"];
  return typeof time === "string" && !Number.isNaN(Date.parse(time)) ? time : null;
}
