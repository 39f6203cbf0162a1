import { join } from "node:path";
import { EspalierError } from "../../errors/index.ts";

/**
 * Where the versions of a program are. A name may hold `/`, which makes folders; each part begins with
 * a letter, a digit or `_`, so that none is `..`, hidden or absolute.
 *
 * @throws EspalierError `registry-name-invalid` for a name that might lead elsewhere, or that not every
 *   file system can hold
 */
export function programFolder(root: string, program: string): string {
  const parts = program.split("/");
  if (program.length <= longestName && parts.every(isSafePart)) return join(root, ...parts);
  throw new EspalierError({
    code: "registry-name-invalid",
    problem: "This cannot be the name of a program in a registry",
    expected: `letters, digits, "-", "_" and "." in parts divided by "/", at most ${longestName} characters`,
    got: JSON.stringify(program.slice(0, longestName)),
  });
}

/** Whether a path below the root is one that a program may have. */
export function isProgramName(name: string): boolean {
  return name.length <= longestName && name.split("/").every(isSafePart);
}

const longestName = 200;

// Names that Windows gives to devices, whatever follows the first dot.
const devices = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i;

function isSafePart(part: string): boolean {
  // A folder that is named as a file of the registry would stand in that file's way.
  return (
    /^[A-Za-z0-9_]([A-Za-z0-9_.-]{0,99}[A-Za-z0-9_-])?$/.test(part) &&
    !devices.test(part) &&
    !/\.(json|lock)$/i.test(part)
  );
}
