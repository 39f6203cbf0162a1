import { execFile } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());

it("says that a place can only be read, whichever of SQLite's extended codes told so", async () => {
  const path = join(folder.path, "lock");
  await writeFile(path, "");
  await chmod(path, 0o666);
  // The lock's file can be written, and SQLite can put nothing beside it:
  // SQLITE_READONLY_DIRECTORY.
  await chmod(folder.path, 0o555);
  const script = `
    import { fileLock } from ${JSON.stringify(resolve("src/storage/file-lock.ts"))};
    // Root may write everywhere.
    if (process.getuid?.() === 0) process.setuid?.(65_534);
    try {
      fileLock(${JSON.stringify(path)}, ({ kind }) => new Error(kind));
    } catch (error) {
      console.log(JSON.stringify([error.code, error.report?.problem, error.cause?.errcode]));
    }
  `;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  const { stdout } = await run.finally(() => chmod(folder.path, 0o755));
  expect(JSON.parse(stdout)).toEqual(["write-failed", "The location is read-only", 1544]);
});
