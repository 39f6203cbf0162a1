import type { JsonObject, Passage } from "../../contract/index.ts";
import type { Corpus } from "./corpus.ts";
import { corpus } from "./corpus.ts";
import { EspalierError } from "../../errors/index.ts";
import type { FileLinesOptions } from "../../storage/index.ts";
import { fileLines } from "../../storage/index.ts";
import { excerpt, isObject, parseJson } from "../../internal/index.ts";

/** Source of passages: a checked corpus, a JSONL file, or any iterable. */
export type CorpusSource = Corpus | string | Iterable<Passage>;

/** @throws EspalierError see `readCorpus` and `corpus` */
export async function loadCorpus(
  source: CorpusSource,
  signal: AbortSignal | undefined,
): Promise<Corpus> {
  if (typeof source === "string") return readCorpus(source, signal === undefined ? {} : { signal });
  return "checksum" in source ? source : corpus(source);
}

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

/**
 * Parses one line of a corpus file. Accepts BEIR's `_id` as `id`, and whole numbers as ids. Unknown
 * keys become metadata, beside the content of `metadata`.
 *
 * @param where file and line, for errors
 * @throws EspalierError `file-malformed`
 */
function passageFromRow(line: string, where: string): Passage {
  const row = parse(line, where);
  const { id, _id = id, title, text, metadata, ...others } = row;
  const refuse = (field: string, expected: string, got: unknown): never => {
    throw new EspalierError({
      code: "file-malformed",
      problem: `The passage does not have a usable \`${field}\``,
      expected,
      got: got === undefined ? "nothing" : excerpt(JSON.stringify(got), 80),
      where,
      fix: 'A row is `{"id": "...", "title": "...", "text": "..."}`; the title is optional.',
    });
  };
  if (id !== undefined && _id !== id) refuse("id", "`id` and `_id` to agree", { id, _id });
  const own = Number.isSafeInteger(_id) ? JSON.stringify(_id) : _id;
  if (typeof own !== "string" || own === "")
    return refuse("id", "`id` or `_id`: a non-empty string or a whole number", _id);
  if (typeof text !== "string") return refuse("text", "a string", text);
  if (title !== undefined && title !== null && typeof title !== "string")
    return refuse("title", "a string", title);
  if (metadata !== undefined && metadata !== null && !isObject(metadata))
    return refuse("metadata", "an object", metadata);
  const further = { ...others, ...metadata };
  return {
    id: own,
    ...(title === undefined || title === null ? {} : { title }),
    text,
    ...(Object.keys(further).length === 0 ? {} : { metadata: further }),
  };
}

function parse(line: string, where: string): JsonObject {
  let row: unknown;
  try {
    row = parseJson(line);
  } catch (error) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The line is not JSON",
      expected: "one JSON object on each line",
      got: `${excerpt(line, 80)} (${(error as Error).message})`,
      where,
      cause: error,
    });
  }
  if (isObject(row)) return row as JsonObject;
  throw new EspalierError({
    code: "file-malformed",
    problem: "The line is not a passage",
    expected: "a JSON object on each line",
    got: excerpt(line, 80),
    where,
  });
}
