import { EspalierError } from "../../errors/index.ts";
import type { Shape } from "../../internal/index.ts";

/**
 * A line of a run's files, which something else than this package may have written, once its shape is known.
 *
 * @throws EspalierError `file-malformed`
 */
export function checkedLine(
  line: unknown,
  { shape, path, place }: { readonly shape: Shape; readonly path: string; readonly place: number },
): object {
  const problem = shape(line);
  if (problem === null && typeof line === "object" && line !== null) return line;
  throw malformedLine(`${path}:${place + 1}`, problem ?? "no object");
}

export function malformedLine(where: string, got: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "A line of the run's files is not as this version writes it",
    where,
    got,
    fix: "Restore the file, or begin a new run.",
  });
}
