import { existsSync } from "node:fs";
import { join } from "node:path";
import { EspalierError } from "espalier";
import { dataFolder } from "./data-folder.ts";

/**
 * A file of recorded outputs of models, in the folder that ESPALIER_RECORDED_DIR names, as it is or
 * with `.gz`.
 *
 * @throws EspalierError `file-missing` if the variable or the file is missing
 */
export function recordedFile(name: string): string {
  const expected = `a folder with ${name} or ${name}.gz, outputs of language models that were recorded`;
  const folder = dataFolder("ESPALIER_RECORDED_DIR", expected);
  const found = [name, `${name}.gz`].map((file) => join(folder, file)).find(existsSync);
  if (found !== undefined) return found;
  throw new EspalierError({
    code: "file-missing",
    problem: `The folder in ESPALIER_RECORDED_DIR has no ${name}`,
    where: folder,
    expected,
    fix: "Put the file there.",
  });
}
