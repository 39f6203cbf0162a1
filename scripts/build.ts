import { execFileSync } from "node:child_process";
import { cpSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";

const [folder = "dist"] = process.argv.slice(2);
const compiler = "node_modules/typescript/bin/tsc";

// A file that is gone from the sources must not be shipped from an earlier build.
rmSync(folder, { recursive: true, force: true });
execFileSync(process.execPath, [compiler, "-p", "tsconfig.build.json", "--outDir", folder], {
  stdio: "inherit",
});
// Browsers take these as they are.
for (const file of globSync("src/serve/page/browser/*.{html,css,js,svg}")) {
  cpSync(file, join(folder, file));
}
