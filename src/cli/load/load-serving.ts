import { EspalierError } from "../../errors/index.ts";
import type { Serving } from "../../serve/index.ts";
import { isServing } from "../../serve/index.ts";
import { importModule } from "./import-module.ts";

/**
 * Imports a file that default-exports a serving.
 *
 * @throws EspalierError `file-missing`; `serving-invalid` if the import fails or the default export
 *   is something else. The framework's own errors from inside the file pass through.
 */
export async function loadServing(path: string): Promise<Serving> {
  const module = await importModule(path, "serving");
  if (isServing(module["default"])) return module["default"];
  const exported = Object.keys(module);
  throw new EspalierError({
    code: "serving-invalid",
    problem: `"${path}" does not default-export a serving`,
    expected: "`export default serving({ name, models })`",
    got: exported.length === 0 ? "no exports" : `the exports ${exported.join(", ")}`,
  });
}
