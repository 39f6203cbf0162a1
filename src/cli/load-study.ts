import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { EspalierError } from "../errors/index.ts";
import type { Study } from "../study/index.ts";
import { isStudy } from "../study/index.ts";

/**
 * Imports a file that default-exports a study.
 *
 * @throws EspalierError `file-missing`, or `study-invalid` when it cannot be imported or exports
 *   something else; the framework's own errors from inside the file as they are
 */
export async function loadStudy(path: string): Promise<Study> {
  const file = resolve(path);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || !found.isFile()) {
    throw new EspalierError({
      code: "file-missing",
      problem: `There is no study at "${path}"`,
      expected: "the path of a TypeScript or JavaScript file that default-exports `study({ ... })`",
      got: found === undefined ? "no such file" : "a folder",
    });
  }
  const module = await importFile(file, path);
  if (isStudy(module["default"])) return module["default"];
  const exported = Object.keys(module);
  throw new EspalierError({
    code: "study-invalid",
    problem: `"${path}" does not default-export a study`,
    expected: "`export default study({ name, program, trainset, objective })`",
    got: exported.length === 0 ? "no exports" : `the exports ${exported.join(", ")}`,
  });
}

async function importFile(file: string, path: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    if (EspalierError.isInstance(error)) throw error;
    throw new EspalierError({
      code: "study-invalid",
      problem: `"${path}" cannot be imported`,
      got: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      fix: `Run it alone to see where: node ${path}`,
      cause: error,
    });
  }
}
