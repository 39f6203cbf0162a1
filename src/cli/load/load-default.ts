import { EspalierError } from "../../errors/index.ts";
import type { Exported } from "./import-module.ts";
import { importModule, invalidCode } from "./import-module.ts";

/**
 * Imports a file that default-exports what the guard accepts.
 *
 * @throws EspalierError `file-missing`; `study-invalid` or `serving-invalid` if the import fails or
 *   the default export is something else. The framework's own errors from inside the file pass
 *   through.
 */
export async function loadDefault<TDefault>(
  path: string,
  kind: Exported,
  guard: (value: unknown) => value is TDefault,
): Promise<TDefault> {
  const module = await importModule(path, kind);
  const { default: found } = module;
  if (guard(found)) return found;
  const exported = Object.keys(module).filter((name) => module[name] !== undefined);
  throw new EspalierError({
    code: invalidCode(kind),
    problem: `"${path}" does not default-export a ${kind}`,
    expected: expected[kind],
    got: exported.length === 0 ? "no exports" : `the exports ${exported.join(", ")}`,
  });
}

const expected: Readonly<Record<Exported, string>> = {
  study: "`export default study({ name, program, trainset, objective })`",
  serving: "`export default serving({ name, models })`",
  protocol: "an object with `mount(app, context)` as its default export",
};
