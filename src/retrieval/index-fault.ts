import { EspalierError } from "../errors/index.ts";

/** What SQLite threw over an index file, as `index-unusable`; any other error as it is. */
export function indexFault(error: unknown, path: string): unknown {
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
