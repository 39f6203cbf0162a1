import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { IModule } from "dependency-cruiser";
import type { Ceilings } from "./layers.ts";
import { generated } from "./layers.ts";

export interface MeasuredFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly lines: number;
}

/** Every file of `src/` but the generated ones. */
export function measuredFiles(root: string): readonly MeasuredFile[] {
  return globSync("src/**/*.{ts,tsx,js}", {
    cwd: root,
    exclude: generated.map((folder) => `${folder}/**`),
  }).map((path) => ({
    path,
    lines: readFileSync(join(root, path), "utf8").split("\n").length - 1,
  }));
}

export interface SourceSize {
  /** One line for each figure, beside its ceiling. */
  readonly figures: readonly string[];
  /** The figures above their ceilings. */
  readonly problems: readonly string[];
}

/** The size of `src/`, by its files and by the modules that import them. */
export function sourceSize(
  files: readonly MeasuredFile[],
  modules: readonly IModule[],
  ceilings: Ceilings,
): SourceSize {
  const figures = [
    ...Object.entries(ceilings.folders).flatMap(([folder, ceiling]) => {
      const inside = files.filter(({ path }) => path.startsWith(`${folder}/`));
      const lines = inside.reduce((sum, file) => sum + file.lines, 0);
      return [
        { of: folder, value: inside.length, unit: "files", ceiling: ceiling.files },
        { of: folder, value: lines, unit: "lines", ceiling: ceiling.lines },
      ];
    }),
    {
      of: "src",
      value: percentWithOneImporter(modules),
      unit: "% of files with one importer",
      ceiling: ceilings.percentWithOneImporter,
    },
  ].map(({ of, value, unit, ceiling }) => ({
    isAbove: value > ceiling,
    text: `${of} has ${value.toLocaleString("en")} ${unit}, ceiling ${ceiling.toLocaleString("en")}`,
  }));
  return {
    figures: figures.map(({ text }) => text),
    problems: figures.filter(({ isAbove }) => isAbove).map(({ text }) => text),
  };
}

/**
 * To one decimal. Doors (`index.ts`, `files.ts`) count neither as files nor as importers, so a
 * file that one neighbour reads and a door hands on has one importer. Imports of types count.
 */
function percentWithOneImporter(modules: readonly IModule[]): number {
  const rooms = modules.filter(({ source }) => source.startsWith("src/") && !isDoor(source));
  const importers = new Map(rooms.map(({ source }) => [source, 0]));
  for (const { dependencies } of rooms) {
    for (const path of new Set(dependencies.map(({ resolved }) => resolved))) {
      const known = importers.get(path);
      if (known !== undefined) importers.set(path, known + 1);
    }
  }
  const single = [...importers.values()].filter((count) => count === 1).length;
  return rooms.length === 0 ? 0 : Math.round((single / rooms.length) * 1000) / 10;
}

function isDoor(path: string): boolean {
  return ["index.ts", "files.ts"].includes(basename(path));
}
