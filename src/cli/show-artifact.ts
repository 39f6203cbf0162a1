import { readArtifact } from "../artifact/light.ts";
import { artifactText } from "./artifact-text.ts";

/** Prints an artifact from its file. */
export async function showArtifact(path: string, json: boolean): Promise<void> {
  const artifact = await readArtifact(path);
  console.log(json ? JSON.stringify(artifact) : artifactText(artifact));
}
