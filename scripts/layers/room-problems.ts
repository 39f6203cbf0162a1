import { dirname } from "node:path";
import type { MeasuredFile } from "./source-size.ts";
import { floors, limits } from "./layers.ts";

/** Lists what of `src/` is too big, and where the inner tables do not match the folders on disk. */
export function roomProblems(files: readonly MeasuredFile[]): readonly string[] {
  const folders = foldersOf(files.map(({ path }) => path));
  return [
    ...files
      .filter(({ lines }) => lines > limits.linesOfFile)
      .map(({ path, lines }) => `${path} has ${lines} lines, more than ${limits.linesOfFile}`),
    ...[...folders]
      .filter(([, { fileCount }]) => fileCount > limits.filesInFolder)
      .map(
        ([path, { fileCount }]) =>
          `${path} has ${fileCount} files, more than ${limits.filesInFolder}`,
      ),
    ...[...folders.keys()]
      .filter((path) => path !== "src")
      .flatMap((path) => {
        const inside = files.filter((file) => file.path.startsWith(`${path}/`));
        const lines = inside.reduce((sum, file) => sum + file.lines, 0);
        const rows = floors[path.slice("src/".length)];
        return rows === undefined && lines > limits.linesWithoutFloors
          ? [`${path} has ${lines} lines and no inner table in scripts/layers/layers.ts`]
          : [];
      }),
    ...Object.entries(floors).flatMap(([name, rows]) => {
      const named = rows.flat().filter((part) => part !== ".");
      const present = folders.get(`src/${name}`)?.innerFolders ?? new Set<string>();
      return [
        ...[...present]
          .filter((part) => !named.includes(part))
          .map((part) => `src/${name}/${part} is not in the inner table of ${name}`),
        ...named
          .filter((part) => !present.has(part))
          .map((part) => `src/${name}/${part} is in the inner table of ${name} and does not exist`),
      ];
    }),
  ];
}

interface Folder {
  /** Files directly in it. */
  fileCount: number;
  readonly innerFolders: Set<string>;
}

function foldersOf(paths: readonly string[]): ReadonlyMap<string, Folder> {
  const folders = new Map<string, Folder>();
  const at = (path: string): Folder => {
    const known = folders.get(path) ?? { fileCount: 0, innerFolders: new Set() };
    folders.set(path, known);
    return known;
  };
  for (const path of paths) {
    at(dirname(path)).fileCount += 1;
    for (let folder = dirname(path); folder !== "src"; folder = dirname(folder)) {
      at(dirname(folder)).innerFolders.add(folder.slice(dirname(folder).length + 1));
    }
  }
  return folders;
}
