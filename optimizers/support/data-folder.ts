import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EspalierError } from "espalier";

/**
 * The folder of data that is not shipped, as an environment variable names it.
 *
 * @throws EspalierError `file-missing` when the variable is unset, or names no folder
 */
export function dataFolder(variable: string, contents: string): string {
  const named = process.env[variable] ?? "";
  if (named !== "" && existsSync(named)) return resolve(named);
  throw new EspalierError({
    code: "file-missing",
    problem: named === "" ? `${variable} is not set` : `${variable} names no folder`,
    expected: contents,
    ...(named === "" ? {} : { got: named }),
    fix: `Set it to the folder: ${variable}=FOLDER`,
  });
}
