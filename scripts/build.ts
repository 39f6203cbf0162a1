import { execFileSync } from "node:child_process";
import { cpSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";

// A file that is gone from the sources must not be shipped from an earlier build.
rmSync("dist", { recursive: true, force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});
// Browsers take these as they are.
for (const file of globSync("src/serve/page/browser/*.{html,css,js,svg}")) {
  cpSync(file, join("dist", file));
}
