import { execFileSync } from "node:child_process";
import { existsSync, globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ICruiseResult } from "dependency-cruiser";
import { sourceSize, measuredFiles } from "./source-size.ts";
import { ceilings, generated, layers, lookedAt } from "./layers.ts";
import { roomProblems } from "./room-problems.ts";

export interface LayerReport {
  readonly moduleCount: number;
  readonly dependencyCount: number;
  /** The size of `src/` beside its ceilings, a line each. */
  readonly figures: readonly string[];
  /** Empty if every rule holds and every file was checked. */
  readonly problems: readonly string[];
}

/**
 * Runs dependency-cruiser over the tree at `root`. It reports success even if it saw no file, so
 * the files that it saw are compared with the files on disk.
 */
export function layerReport(root: string, allowed = ceilings): LayerReport {
  const folders = lookedAt.filter((folder) => existsSync(join(root, folder)));
  const { modules, summary } = cruise(root, folders);
  const seen = new Set(modules.map((module) => module.source));
  const onDisk = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx,js}`, {
      cwd: root,
      exclude: generated.map((folder) => `${folder}/**`),
    }),
  );
  const unseen = onDisk.filter((file) => !seen.has(file));
  const files = measuredFiles(root);
  const size = sourceSize(files, modules, allowed);
  const problems = [
    ...(onDisk.length === 0 ? ["There are no modules to check."] : []),
    ...unseen.map((file) => `not checked: ${file}`),
    ...unknownFolders(root).map((folder) => `not in the table of layers: src/${folder}`),
    ...roomProblems(files),
    ...size.problems,
    ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
  ];
  return {
    moduleCount: onDisk.length - unseen.length,
    dependencyCount: summary.totalDependenciesCruised ?? 0,
    figures: size.figures,
    problems,
  };
}

function cruise(root: string, folders: readonly string[]): ICruiseResult {
  const command = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const output = execFileSync(
    process.execPath,
    [command, "--config", ".dependency-cruiser.mjs", "--output-type", "json", ...folders],
    { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  return JSON.parse(output) as ICruiseResult;
}

function unknownFolders(root: string): string[] {
  const known = new Set(layers.flat());
  return readdirSync(join(root, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !known.has(entry.name))
    .map((entry) => entry.name);
}
