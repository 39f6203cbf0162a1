import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";

// A file that is gone from the sources must not be shipped from an earlier build.
rmSync("dist", { recursive: true, force: true });
execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});
