import type { Passage } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { FileLinesOptions } from "../../storage/index.ts";
import { fileLines } from "../../storage/index.ts";
import type { Corpus } from "./corpus.ts";
import { corpus } from "./corpus.ts";
import { passageFromRow } from "./passage-row.ts";

/**
 * Reads a corpus: JSONL with one `{ "id", "title"?, "text", "metadata"? }` per line, or BEIR's
 * `_id`. Decompresses gzip; accepts blank lines and a byte order mark.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with file and line; `corpus-invalid` if
 * there are no passages; `option-invalid`
 */
export async function readCorpus(path: string, options: FileLinesOptions = {}): Promise<Corpus> {
  const passages: Passage[] = [];
  const lineOf = new Map<string, number>();
  let number = 0;
  for await (const lines of fileLines(path, options)) {
    for (const line of lines) {
      number++;
      if (line.trim() === "") continue;
      const passage = passageFromRow(line, `${path}:${number}`);
      const earlier = lineOf.get(passage.id);
      if (earlier !== undefined) throw repeated(passage.id, earlier, `${path}:${number}`);
      lineOf.set(passage.id, number);
      passages.push(passage);
    }
  }
  if (passages.length > 0) return corpus(passages);
  throw new EspalierError({
    code: "corpus-invalid",
    problem: "The corpus holds no passages",
    where: path,
    fix: "Check that the file was written or downloaded completely.",
  });
}

function repeated(id: string, earlier: number, where: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: `The passage id \`${id}\` occurs twice`,
    expected: "unique ids in the corpus",
    got: `the first on line ${earlier}`,
    where,
    fix: "Prefix ids with their source, or remove the duplicate.",
  });
}
