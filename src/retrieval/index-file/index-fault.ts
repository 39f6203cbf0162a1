import { EspalierError } from "../../errors/index.ts";
import { writeFault } from "../../storage/index.ts";

/**
 * Converts system and SQLite errors over an index file to `write-failed` or `index-unusable`;
 * returns other errors unchanged.
 */
export function indexFault(thrown: unknown, path: string): unknown {
  const error = writeFault(thrown, path, {
    kept: "Finished indexes and vectors are kept; an unfinished index is discarded.",
    next: "rebuild it",
  });
  if (!(error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR")) {
    return error;
  }
  return new EspalierError({
    code: "index-unusable",
    problem: "The index file cannot be used",
    got: error.message,
    where: path,
    fix: "Name another file, or remove this one if it is an index.",
    cause: error,
  });
}
