import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { decisionsIn } from "../../../../test/support/journal.ts";

/** What must not depend on where and when a run's work was done: its result and all decisions. */
export async function compiledIn(runFolder: string): Promise<unknown> {
  const artifact = await readFile(join(runFolder, "artifact.json"), "utf8");
  const { hash, compiled } = JSON.parse(artifact) as {
    readonly hash: string;
    readonly compiled: unknown;
  };
  return { hash, compiled, journal: decisionsIn(runFolder).split("\n") };
}
