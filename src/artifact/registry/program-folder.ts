import { join, relative, sep } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import { readdir } from "node:fs/promises";
import { isNoSuchFile } from "../../internal/index.ts";
import { isVersion } from "./version-name.ts";

/**
 * The folder of a program's versions. A name may contain `/`, which makes subfolders; each part
 * begins with a letter, a digit or `_`, so that none is `..`, hidden or absolute.
 *
 * @throws EspalierError `registry-name-invalid` for a name that might lead outside the registry, or
 * that some file systems do not support
 */
export function programFolder(root: string, program: string): string {
  const parts = program.split("/");
  if (program.length <= longestName && parts.every(isSafePart)) return join(root, ...parts);
  throw new EspalierError({
    code: "registry-name-invalid",
    problem: "This is not a valid name for a program in a registry",
    expected: `letters, digits, "-", "_" and "." in parts separated by "/", at most ${longestName} characters`,
    got: JSON.stringify(program.slice(0, longestName)),
  });
}

/** Whether a path below the root is a valid program name. */
function isProgramName(name: string): boolean {
  return name.length <= longestName && name.split("/").every(isSafePart);
}

const longestName = 200;

// Device names on Windows, whatever follows the first dot.
const devices = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i;

function isSafePart(part: string): boolean {
  // A folder must not have the name of a registry file.
  return (
    /^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,99}[A-Za-z0-9_-])?$/.test(part) &&
    !devices.test(part) &&
    !/\.(json|lock)$/i.test(part)
  );
}

/** Names of the programs with versions in a folder, in order; none if there is no folder. */
export async function programsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (isNoSuchFile(error)) return [];
      throw error;
    },
  );
  const names = entries
    .filter(({ name }) => name.endsWith(".json") && isVersion(name.slice(0, -".json".length)))
    .map(({ parentPath }) => relative(folder, parentPath).split(sep).join("/"))
    .filter(isProgramName);
  return [...new Set(names)].toSorted();
}
