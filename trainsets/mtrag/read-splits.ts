import type { SplitName } from "espalier";
import { EspalierError } from "espalier";
import { readLines } from "espalier/trainset";
import { z } from "zod";

const ids = z.array(z.string());
const splitsFile = z.object({ train: ids, dev: ids, test: ids });

/**
 * The split of each conversation, from the file beside the tasks.
 *
 * @throws EspalierError `file-missing`; `file-malformed`, also for a conversation in two splits
 */
export async function readSplits(path: string): Promise<ReadonlyMap<string, SplitName>> {
  const text = (await readLines(path)).map((line) => line.text).join("\n");
  const { train, dev, test } = parsed(text, path);
  const splits = new Map<string, SplitName>();
  for (const [split, members] of [
    ["train", train],
    ["val", dev],
    ["test", test],
  ] as const) {
    for (const id of members) {
      const earlier = splits.get(id) ?? split;
      if (earlier !== split) throw inTwoSplits(id, [earlier, split], path);
      splits.set(id, split);
    }
  }
  return splits;
}

function parsed(text: string, path: string): z.infer<typeof splitsFile> {
  try {
    return splitsFile.parse(JSON.parse(text));
  } catch (error) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The file does not say which conversation belongs to which split",
      where: path,
      expected: '{ "train": ["id"], "dev": ["id"], "test": ["id"] }',
      got: error instanceof z.ZodError ? z.prettifyError(error).slice(0, 300) : "invalid JSON",
      fix: "Restore the file, or remove it to split the conversations by hash.",
      cause: error,
    });
  }
}

function inTwoSplits(
  id: string,
  [one, other]: readonly [SplitName, SplitName],
  path: string,
): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: `Conversation \`${id}\` is in two splits`,
    where: path,
    expected: "each conversation in one split, since its turns are not independent",
    got: `${one} and ${other}`,
    fix: "Keep it in one of them.",
  });
}
