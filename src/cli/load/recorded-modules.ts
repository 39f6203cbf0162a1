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

/** This package's own source or build, whose version says what it is. */
const own = resolve(import.meta.dirname, "../..") + sep;

/** Records each module that is imported from now on, without packages and without this one. */
export function recordedModules(): RecordedModules {
  const paths = new Set<string>();
  registerHooks({
    load: (url, context, nextLoad) => {
      if (url.startsWith("file:")) {
        const path = fileURLToPath(url);
        const isProject = !path.startsWith(own) && !path.includes(`${sep}node_modules${sep}`);
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
