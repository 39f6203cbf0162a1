import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundleRehearsal } from "./build/bundle-rehearsal.ts";
import { bundleTypes } from "./build/bundle-types.ts";
import { scriptOptions } from "./support/script-options.ts";

const root = resolve(import.meta.dirname, "..");
const {
  positionals: [folder = join(root, "src/rehearsal/dist")],
} = scriptOptions({
  command: "npx tsx scripts/build-rehearsal.ts",
  about: "Empties FOLDER (default src/rehearsal/dist) and builds @espalier/rehearsal into it.",
  positionals: "[FOLDER]",
});
const out = resolve(folder);

rmSync(out, { recursive: true, force: true });
await bundleRehearsal(root, join(out, "index.js"));
const types = join(out, "types");
const compiler = join(root, "node_modules/typescript/bin/tsc");
const project = join(root, "src/rehearsal/tsconfig.build.json");
execFileSync(process.execPath, [compiler, "-p", project, "--outDir", types], { stdio: "inherit" });
await bundleTypes(types, ["rehearsal/index.d.ts"]);
cpSync(join(root, "LICENSE"), join(out, "LICENSE"));
