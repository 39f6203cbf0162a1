import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("says of a file that Node.js reads as CommonJS what its package.json lacks", async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, "package.json"), '{"type":"commonjs"}');
  const study = join(folder.path, "study.js");
  await writeFile(study, 'import "node:fs";\n');
  // Not through tsx or vitest, which load such a file all the same.
  const words = ["--conditions=espalier:source", "src/cli/bin.ts", "eval", study];
  const stderr = await new Promise<string>((resolve) => {
    execFile(process.execPath, words, (_error, _stdout, written) => resolve(written));
  });
  expect(stderr).toContain("study-invalid");
  expect(stderr).toContain('Add "type": "module" to the package.json');
});
