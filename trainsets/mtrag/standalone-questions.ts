import { globSync } from "node:fs";
import { join } from "node:path";
import { readJsonl } from "espalier/trainset";
import { z } from "zod";

/** Location of the human rewrites in the assembled subset and in the repository. */
const rewriteFiles = ["queries/*_rewrite.jsonl", "*/retrieval_tasks/*/*_rewrite.jsonl"];

const queryRow = z.looseObject({ _id: z.string(), text: z.string() });

/**
 * The human rewrites, by task: each question worded to make sense without the conversation. Empty
 * for a release that has none.
 *
 * @throws EspalierError `file-malformed` with the line
 */
export async function standaloneQuestions(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = globSync(rewriteFiles, { cwd: folder }).toSorted();
  const rows = await Promise.all(
    files.map(async (file) => readJsonl(join(folder, file), queryRow)),
  );
  return new Map(rows.flat().map(({ _id: task, text }) => [task, withoutSpeaker(text)]));
}

/** The files put the speaker before each line. */
function withoutSpeaker(text: string): string {
  return text.replace(/^\|user\|:/, "").trim();
}
