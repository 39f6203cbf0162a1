import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPatch } from "diff";
import { scriptOptions } from "../support/script-options.ts";
import { apiReport } from "./api-report.ts";

const { flags } = scriptOptions({
  command: "npm run docs:api",
  about: "Writes the public API into api/, a page for each door, so that changes show as diffs.",
  options: {
    check: { about: "Write nothing; exit with 1 if a page is out of date" },
  },
});

const folder = "api";
mkdirSync(folder, { recursive: true });
const before = new Map(
  globSync("*.api.md", { cwd: folder }).map((file) => [
    file,
    readFileSync(join(folder, file), "utf8"),
  ]),
);
const after = await apiReport(process.cwd());
const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
  (file) => before.get(file) !== after.get(file),
);
for (const file of changed) {
  const path = join(folder, file);
  const [old = "", now] = [before.get(file), after.get(file)];
  if (flags.has("check")) console.error(createPatch(path, old, now ?? ""));
  else if (now === undefined) rmSync(path);
  else writeFileSync(path, now);
}
if (flags.has("check") && changed.length > 0) {
  console.error("The public API changed: run `npm run docs:api` and commit api/ with the change.");
  process.exitCode = 1;
}
