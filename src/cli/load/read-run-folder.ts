import type { SourceGiven } from "../../report/index.ts";
import { readRunHistory } from "../../report/index.ts";

/**
 * Reads a run's folder.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export async function readRunFolder(
  path: string,
): Promise<Extract<SourceGiven, { readonly kind: "run" }>> {
  return { kind: "run", path, history: readRunHistory(path) };
}
