import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * A short hash of files and folders of the repository, but for files that `counts` leaves out. What
 * was found with other sources is not reused.
 */
export function sourceHash(
  paths: readonly string[],
  counts: (file: string) => boolean = () => true,
): string {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of filesIn(path).filter(counts))
      hash.update(`${file}\n`).update(readFileSync(root + file));
  }
  return hash.digest("hex").slice(0, 12);
}

function filesIn(path: string): readonly string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(root + path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath.slice(root.length)}/${name}`)
    .toSorted();
}
