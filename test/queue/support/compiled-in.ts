import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What must not depend on where and when a run's work was done. */
export async function compiledIn(runFolder: string): Promise<unknown> {
  const artifact = JSON.parse(await readFile(join(runFolder, "artifact.json"), "utf8")) as {
    readonly hash: string;
    readonly compiled: unknown;
  };
  return { hash: artifact.hash, compiled: artifact.compiled };
}
