import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EspalierError } from "espalier";

/**
 * The folder, named by an environment variable, of data that is not shipped.
 *
 * @throws EspalierError `file-missing` if the variable is unset or does not name a folder
 */
export function dataFolder(variable: string, contents: string): string {
  const named = process.env[variable] ?? "";
  if (named !== "" && existsSync(named)) return resolve(named);
  throw new EspalierError({
    code: "file-missing",
    problem: named === "" ? `${variable} is not set` : `${variable} does not name a folder`,
    expected: contents,
    ...(named === "" ? {} : { got: named }),
    fix: `Set it to the folder: ${variable}=FOLDER`,
  });
}
