/** What a child process with this loaded: see `loadedModules`. */
export interface LoadedModules {
  /** From `node_modules`. */
  readonly packages: readonly string[];
  /** Of `src/`. */
  readonly folders: readonly string[];
}

const mark = "loaded: ";

const watch = `
  import { registerHooks } from "node:module";
  const urls = [];
  registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
  process.on("exit", () => process.stderr.write("\\n${mark}" + urls.join(" ")));`;

/**
 * Makes a child process of Node.js list the modules that it loads, last thing on standard error.
 */
export const watchedModules: Readonly<Record<string, string>> = Object.freeze({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(watch)}`,
});

/** Reads the list that a process with `watchedModules` in its environment has left. */
export function loadedModules(stderr: string): LoadedModules {
  const urls = stderr.slice(stderr.lastIndexOf(mark)).split(" ");
  const found = (pattern: RegExp): readonly string[] => [
    ...new Set(urls.flatMap((url) => pattern.exec(url)?.[1] ?? [])),
  ];
  return {
    packages: found(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//),
    folders: found(/\/src\/([^/]+)\//),
  };
}
