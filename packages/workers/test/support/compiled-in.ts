import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What must not depend on where and when a run's work was done: its result and all decisions. */
export async function compiledIn(runFolder: string): Promise<unknown> {
  const [artifact, journal] = await Promise.all(
    ["artifact.json", "journal.jsonl"].map((name) => readFile(join(runFolder, name), "utf8")),
  );
  const { hash, compiled } = JSON.parse(artifact ?? "") as {
    readonly hash: string;
    readonly compiled: unknown;
  };
  return { hash, compiled, journal: journal?.split("\n") };
}
