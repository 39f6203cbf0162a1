import { basename, dirname } from "node:path";
import { readAliases } from "./alias-file.ts";
import type { Alias } from "./aliases.ts";
import { aliasNames } from "./aliases.ts";

/**
 * The aliases that point to the artifact in this file, by the record that a registry keeps beside
 * it; none for a file outside of one, or where that record cannot be read.
 */
export async function aliasesAt(path: string): Promise<readonly Alias[]> {
  const version = basename(path, ".json");
  const aliases = await readAliases(dirname(path)).catch(() => null);
  return aliases === null ? [] : aliasNames.filter((alias) => aliases[alias] === version);
}
