import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readArtifact } from "espalier/artifact";
import { decisionsIn } from "../../../support/journal.ts";

/** All that a run decided and compiled. */
export async function runOutcome(runFolder: string): Promise<unknown> {
  const { hash, compiled } = await readArtifact(join(runFolder, "artifact.json"));
  return { hash, compiled, journal: decisionsIn(runFolder) };
}

/** Replies in the run's folder, of its search and its report. */
export async function recordedReplies(runFolder: string): Promise<number> {
  const files = ["journal.jsonl", "report.jsonl"].map((name) =>
    readFile(join(runFolder, name), "utf8").catch(() => ""),
  );
  return (await Promise.all(files)).join("").split('"kind":"reply"').length - 1;
}
