import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundlePackage } from "./build/bundle-package.ts";
import { bundleTypes } from "./build/bundle-types.ts";
import { packageDoors } from "./layers/package-doors.ts";
import { scriptOptions } from "./support/script-options.ts";

const root = resolve(import.meta.dirname, "..");
const {
  positionals: [name = "", folder = `packages/${name}/dist`],
} = scriptOptions({
  command: "npx tsx scripts/build-package.ts",
  about: "Empties FOLDER (default packages/NAME/dist) and builds @espalier/NAME into it.",
  positionals: "NAME [FOLDER]",
});
const out = resolve(root, folder);

rmSync(out, { recursive: true, force: true });
await bundlePackage(root, `packages/${name}`, join(out, "index.js"));
const compiler = join(root, "node_modules/typescript/bin/tsc");
const project = join(root, "packages", name, "tsconfig.build.json");
execFileSync(process.execPath, [compiler, "-p", project, "--outDir", out], { stdio: "inherit" });
await bundleTypes(out, { index: `packages/${name}/src/index.d.ts` }, packageDoors(root));
for (const emptied of ["packages", "src"]) rmSync(join(out, emptied), { recursive: true });
cpSync(join(root, "LICENSE"), join(out, "LICENSE"));
