import { readdir } from "node:fs/promises";
import { relative, sep } from "node:path";
import { isNoSuchFile } from "./no-such-file.ts";
import { isProgramName } from "./program-folder.ts";
import { isVersion } from "./version-name.ts";

/** Names of the programs of which a folder holds versions, in order; none where there is no folder. */
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
