import { EspalierError } from "../../../errors/index.ts";
import type { Shape } from "../../../internal/index.ts";

/**
 * Checks the shape of a line of a run's files, which something else may have written.
 *
 * @throws EspalierError `file-malformed`
 */
export function checkLine(
  line: unknown,
  { shape, path, place }: { readonly shape: Shape; readonly path: string; readonly place: number },
): void {
  const problem = shape(line);
  if (problem !== null) throw malformedLine(`${path}:${place + 1}`, problem);
}

export function malformedLine(where: string, got: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "A line of the run's files does not have this version's format",
    where,
    got,
    fix: "Restore the file, or start a new run.",
  });
}
