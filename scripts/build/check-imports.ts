import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Fails for a compiled module that imports a source: TypeScript leaves `await import("./x.ts")` as
 * it is in a function that has `await using`. Import it in a function of its own.
 */
export function checkImports(folder: string): void {
  const left = globSync("**/*.js", { cwd: folder }).flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/import\("([.][^"]*[.]ts)"\)/g)].map(
      ([, path]) => `${file} imports ${path}`,
    ),
  );
  if (left.length > 0) throw new Error(`Compiled modules import sources: ${left.join("; ")}.`);
}
