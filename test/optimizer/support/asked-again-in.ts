import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Keys that were sent after their reply was recorded in the same file of the run. */
export async function askedAgainIn(runFolder: string): Promise<readonly string[]> {
  const recorded = new Set<string>();
  const again: string[] = [];
  let isAny = false;
  for (const name of ["journal.jsonl", "report.jsonl"]) {
    recorded.clear();
    // A run that was not reported on, or not searched, lacks one of them.
    const content = await readFile(join(runFolder, name), "utf8").catch(() => "");
    isAny ||= content !== "";
    for (const line of content.split("\n").slice(0, -1)) {
      const { kind, key = "" } = JSON.parse(line) as {
        readonly kind: string;
        readonly key?: string;
      };
      if (kind === "reply") recorded.add(key);
      if (kind === "sent" && recorded.has(key)) again.push(key);
    }
  }
  if (!isAny) throw new Error(`${runFolder} holds no replies`);
  return again;
}
