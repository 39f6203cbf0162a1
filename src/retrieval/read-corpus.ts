import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import type { Passage } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import type { Corpus } from "./corpus.ts";
import { corpus } from "./corpus.ts";
import { passageFromRow } from "./passage-row.ts";

/**
 * Reads a corpus: JSONL, one `{ "id", "title"?, "text", "metadata"? }` a line, as BEIR has it
 * (`_id`). A name that ends in `.gz` is unpacked on the way. Blank lines and a byte order mark are
 * fine.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with file and line; `corpus-invalid` when
 *   there is no passage at all
 */
export async function readCorpus(
  path: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Corpus> {
  const passages: Passage[] = [];
  const lineOf = new Map<string, number>();
  let number = 0;
  for await (const line of linesOf(path, signal)) {
    number++;
    if (line.trim() === "") continue;
    const passage = passageFromRow(line, `${path}:${number}`);
    const earlier = lineOf.get(passage.id);
    if (earlier !== undefined) throw repeated(passage.id, earlier, `${path}:${number}`);
    lineOf.set(passage.id, number);
    passages.push(passage);
  }
  if (passages.length > 0) return corpus(passages);
  throw new EspalierError({
    code: "corpus-invalid",
    problem: "The corpus holds no passage",
    where: path,
    fix: "Check that the file was written, or downloaded, completely.",
  });
}

/** Line by line, because a corpus may be larger than the longest string. */
async function* linesOf(path: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const file = createReadStream(path);
  const isPacked = path.endsWith(".gz");
  const unpacked = isPacked ? file.pipe(createGunzip()) : file;
  // `pipe` does not pass errors on.
  file.once("error", (error) => unpacked.destroy(error));
  let rest = "";
  try {
    for await (const chunk of unpacked) {
      signal?.throwIfAborted();
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    yield rest + decoder.decode();
  } catch (error) {
    throw isReadError(error) ? unreadable(path, isPacked, error) : error;
  } finally {
    file.destroy();
  }
}

interface ReadError extends Error {
  readonly code: string;
}

/** From the file system, zlib or the decoder; what the consumer of the lines threw is not. */
function isReadError(error: unknown): error is ReadError {
  return (
    error instanceof Error &&
    !EspalierError.isInstance(error) &&
    "code" in error &&
    typeof error.code === "string"
  );
}

function unreadable(path: string, isPacked: boolean, error: ReadError): EspalierError {
  if (error.code.startsWith("Z_")) {
    return new EspalierError({
      code: "file-malformed",
      problem: "The file cannot be unpacked",
      got: error.message,
      where: path,
      fix: "Fetch it again, or take `.gz` off its name if it is not packed.",
      cause: error,
    });
  }
  if (error.code.startsWith("ERR_ENCODING")) {
    return new EspalierError({
      code: "file-malformed",
      problem: "The file is not text in UTF-8",
      where: path,
      fix: isPacked ? "Convert it to UTF-8." : "Convert it; a packed file needs a name in `.gz`.",
      cause: error,
    });
  }
  return new EspalierError({
    code: "file-missing",
    problem: "The corpus cannot be read",
    got: error.message,
    where: path,
    fix: "Check the path; a relative one starts at the working directory.",
    cause: error,
  });
}

function repeated(id: string, earlier: number, where: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: `The passage id \`${id}\` occurs twice`,
    expected: "ids that are unique in the corpus",
    got: `the first on line ${earlier}`,
    where,
    fix: "Prefix ids with their source, or drop the second copy.",
  });
}
