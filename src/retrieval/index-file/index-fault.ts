import { EspalierError } from "../../errors/index.ts";
import { writeFault } from "../../storage/index.ts";

/**
 * What the system or SQLite threw over an index file, as `write-failed` or `index-unusable`; any other
 * error as it is.
 */
export function indexFault(thrown: unknown, path: string): unknown {
  const error = writeFault(thrown, path, {
    kept: "An index that was finished before is kept, as are vectors; nothing of an unfinished one is.",
    next: "build it again",
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
