import { readArtifact } from "../../artifact/light.ts";
import { artifactText } from "../artifact/artifact-text.ts";
import { print } from "../terminal/terminal.ts";

/** Prints an artifact from its file. */
export async function showArtifact(path: string, json: boolean): Promise<void> {
  const artifact = await readArtifact(path);
  print(json ? JSON.stringify(artifact) : artifactText(artifact));
}
