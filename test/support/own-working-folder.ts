import { cpSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * A setup file: each test file works in a folder of its own, where the repository's folders and
 * files can be read by their usual paths, but hidden ones, such as `.espalier`, are not.
 */
const repository = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "work-"));
for (const name of readdirSync(repository)) {
  if (name.startsWith(".") || name === "artifacts") continue;
  symlinkSync(join(repository, name), join(folder, name));
}
// Commands write to it by default.
cpSync(join(repository, "artifacts"), join(folder, "artifacts"), { recursive: true });
process.chdir(folder);
