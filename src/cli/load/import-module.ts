import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { EspalierError } from "../../errors/index.ts";

/** What a file is to default-export. */
type Exported = "study" | "serving" | "protocol";

/**
 * Imports a file that a person named.
 *
 * @throws EspalierError `file-missing`, `study-invalid` or `serving-invalid` when it cannot be imported; the framework's own
 *   errors from inside the file as they are
 */
export async function importModule(
  path: string,
  exported: Exported = "study",
): Promise<Record<string, unknown>> {
  const file = resolve(path);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || !found.isFile()) {
    throw new EspalierError({
      code: "file-missing",
      problem: `There is no ${exported} at "${path}"`,
      expected: `the path of a TypeScript or JavaScript file that default-exports ${shape[exported]}`,
      got: found === undefined ? "no such file" : "a folder",
    });
  }
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error;
    throw new EspalierError({
      code: exported === "study" ? "study-invalid" : "serving-invalid",
      problem: `"${path}" cannot be imported`,
      got: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      fix: `Run it alone to see where: node ${path}`,
      cause: error,
    });
  }
}

const shape: Readonly<Record<Exported, string>> = {
  study: "`study({ ... })`",
  serving: "`serving({ ... })`",
  protocol: "a protocol",
};
