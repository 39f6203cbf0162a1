import { writeFileAtomic } from "../../storage/index.ts";
import type { Artifact } from "./artifact.ts";

/**
 * Writes an artifact atomically, formatted for line-by-line comparison. Keys keep their compiled
 * order: if an input contains an object, that order is part of the prompt. Unlike other files with
 * prompts, artifacts are meant to be shared.
 */
export async function writeArtifact(path: string, artifact: Artifact): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(artifact, null, 2)}\n`, { isShared: true });
}
