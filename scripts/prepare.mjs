/**
 * After `npm ci` in a checkout: bundles the pages that `src/report-page` serves. Plain JavaScript,
 * since without the development dependencies (`npm ci --omit=dev`) nothing runs TypeScript; the
 * pages are then missing, and whatever needs them says how to make them.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

try {
  const require = createRequire(import.meta.url);
  for (const needed of ["tsx", "esbuild", "preact"]) require.resolve(needed);
} catch {
  console.error("espalier: the report's pages are not bundled, without development dependencies");
  process.exit(0);
}
const { status } = spawnSync("npm", ["run", "bundle:page"], { stdio: "inherit", shell: true });
process.exit(status ?? 1);
