import { EspalierError } from "../../errors/index.ts";
import type { Study } from "../../study/index.ts";
import { isStudy } from "../../study/index.ts";
import { importModule } from "./import-module.ts";

/**
 * Imports a file that default-exports a study.
 *
 * @throws EspalierError `file-missing`; `study-invalid` if the import fails or the default export
 *   is something else. The framework's own errors from inside the file pass through.
 */
export async function loadStudy(path: string): Promise<Study> {
  const module = await importModule(path);
  if (isStudy(module["default"])) return module["default"];
  const exported = Object.keys(module);
  throw new EspalierError({
    code: "study-invalid",
    problem: `"${path}" does not default-export a study`,
    expected: "`export default study({ name, program, trainset, objective })`",
    got: exported.length === 0 ? "no exports" : `the exports ${exported.join(", ")}`,
  });
}
