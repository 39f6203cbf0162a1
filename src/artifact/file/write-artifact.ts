import { writeFileAtomic } from "../../storage/index.ts";
import type { Artifact } from "./artifact.ts";

/**
 * Writes an artifact, whole or not at all, laid out for line-by-line comparison. Keys keep the order
 * they were compiled in: where an input holds an object, that order is part of the prompt. It is made to be
 * shared, unlike other files that hold prompts.
 */
export async function writeArtifact(path: string, artifact: Artifact): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(artifact, null, 2)}\n`, { isShared: true });
}
