import { globSync } from "node:fs";
import { dirname } from "node:path";
import { floors, rehearsal } from "./layers.ts";

/** Lists where the inner tables do not match the folders on disk. */
export function roomProblems(root: string): readonly string[] {
  const inner = innerFolders(
    globSync("src/**/*.{ts,js}", { cwd: root, exclude: [`${rehearsal.built}/**`] }),
  );
  return Object.entries(floors).flatMap(([name, rows]) => {
    const named = rows.flat().filter((part) => part !== ".");
    const present = inner.get(`src/${name}`) ?? new Set<string>();
    return [
      ...[...present]
        .filter((part) => !named.includes(part))
        .map((part) => `src/${name}/${part} is not in the inner table of ${name}`),
      ...named
        .filter((part) => !present.has(part))
        .map((part) => `src/${name}/${part} is in the inner table of ${name} and does not exist`),
    ];
  });
}

/** The subfolders of each folder of `src/` that hold a file, directly or deeper. */
function innerFolders(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const inner = new Map<string, Set<string>>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== "src"; folder = dirname(folder)) {
      const parent = dirname(folder);
      inner.set(parent, (inner.get(parent) ?? new Set()).add(folder.slice(parent.length + 1)));
    }
  }
  return inner;
}
