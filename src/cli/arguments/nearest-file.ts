import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { EspalierError } from "../../errors/index.ts";
import { nearestName } from "../../internal/index.ts";

/**
 * ` Did you mean "study.ts"?` for an error about a missing file that the command line names, if its
 * folder has one with nearly the same name; otherwise nothing.
 */
export function nearestFileIn(error: unknown, rawArgs: readonly string[]): string {
  if (!EspalierError.isInstance(error) || error.code !== "file-missing") return "";
  const named = rawArgs
    .map((word) => word.replace(/^--[^=]*=/, "").replace(/^@/, ""))
    // A word without either is a command or a name.
    .filter((word) => /[./]/.test(word) && error.message.includes(word) && !existsSync(word));
  const [nearest] = named.flatMap((path) => nearestFile(path) ?? []);
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

/** The path with the nearest name in the same folder, or in the folder with the nearest name. */
function nearestFile(path: string): string | undefined {
  const folder = dirname(path);
  if (!existsSync(folder)) {
    const other = folder === path ? undefined : nearestFile(folder);
    const moved = other === undefined ? undefined : join(other, basename(path));
    return moved !== undefined && existsSync(moved) ? moved : undefined;
  }
  const nearest = nearestName(basename(path), namesIn(folder));
  return nearest === undefined ? undefined : join(folder, nearest);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A file in place of the folder, or one that may not be read: nothing to suggest.
    return [];
  }
}
