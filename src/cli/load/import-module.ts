import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { EspalierError } from "../../errors/index.ts";
import { importFault } from "./import-fault.ts";

/** What the file must default-export. */
export type Exported = "study" | "experiment" | "serving" | "protocol";

/**
 * Imports a file named on the command line.
 *
 * @throws EspalierError `file-missing`; the code of `invalidCode` if the import fails.
 *   The framework's own errors from inside the file pass through.
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
      problem: `No ${exported} file at "${path}"`,
      expected: `the path of a TypeScript or JavaScript file that default-exports ${shape[exported]}`,
      got: found === undefined ? "no such file" : "a folder",
    });
  }
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error;
    throw new EspalierError({
      code: invalidCode(exported),
      problem: `Cannot import "${path}"`,
      ...importFault(error, path),
      cause: error,
    });
  }
}

type InvalidCode = "study-invalid" | "experiment-invalid" | "serving-invalid";

export function invalidCode(exported: Exported): InvalidCode {
  return exported === "protocol" ? "serving-invalid" : `${exported}-invalid`;
}

const shape: Readonly<Record<Exported, string>> = {
  study: "`study({ ... })`",
  experiment: "`experiment({ ... })`",
  serving: "`serving({ ... })`",
  protocol: "a protocol",
};
