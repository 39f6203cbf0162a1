import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";

// With the threads that Lance gives itself there, such a build never ended.
it("ends on one core", async () => {
  await using folder = await temporaryFolder();
  const { LANCE_CPU_THREADS: _, ...env } = process.env;
  const script = resolve(import.meta.dirname, "build-large-lance.ts");
  const { stdout } = await promisify(execFile)(
    "taskset",
    ["-c", "0", process.execPath, "--conditions=espalier:source", script, join(folder.path, "i")],
    { env },
  );
  expect(JSON.parse(stdout)).toEqual(["p0070000"]);
});
