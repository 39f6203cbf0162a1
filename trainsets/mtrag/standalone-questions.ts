import { readJsonl } from "espalier/trainset";
import { z } from "zod";

const queryRow = z.looseObject({ _id: z.string(), text: z.string() });

/**
 * The human rewrites, by task: each question worded to make sense without the conversation. Empty
 * for a release that has none.
 *
 * @throws EspalierError `file-malformed` with the line
 */
export async function standaloneQuestions(
  files: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await Promise.all(files.map(async (file) => readJsonl(file, queryRow)));
  return new Map(rows.flat().map(({ _id: task, text }) => [task, withoutSpeaker(text)]));
}

/** The files put the speaker before each line. */
function withoutSpeaker(text: string): string {
  return text.replace(/^\|user\|:/, "").trim();
}
