import { readFileSync, realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256 } from "../../internal/index.ts";

/** The modules of a project, as they are imported. */
export interface RecordedModules {
  /** Hash of each module so far, by its path from a file's folder, in order. */
  hashesFrom(file: string): Readonly<Record<string, string>>;
}

/** This package's source or build, and the packages of a checkout: versions say what they are. */
const own = ["../..", "../../../packages"].map((path) => resolve(import.meta.dirname, path) + sep);

/** Records each module that is imported from now on, without packages and without this one. */
export function recordedModules(): RecordedModules {
  const paths = new Set<string>();
  registerHooks({
    load: (url, context, nextLoad) => {
      if (url.startsWith("file:")) {
        const path = fileURLToPath(url);
        const isProject =
          !own.some((folder) => path.startsWith(folder)) &&
          !path.includes(`${sep}node_modules${sep}`);
        if (isProject) paths.add(path);
      }
      return nextLoad(url, context);
    },
  });
  return {
    hashesFrom: (file) => {
      const folder = dirname(realpathSync(resolve(file)));
      const named = [...paths].map((path): [string, string] => [
        relative(folder, path).split(sep).join("/"),
        sha256(readFileSync(path, "utf8")),
      ]);
      return Object.fromEntries(named.toSorted(([left], [right]) => (left < right ? -1 : 1)));
    },
  };
}
