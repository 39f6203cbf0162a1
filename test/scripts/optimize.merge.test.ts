import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");

test.each([
  ["mtrag", ["--mtrag-dir", "/no/such/folder"], "ESPALIER_MTRAG_DIR"],
  ["musique", ["--multihop-dir=/no/such/folder"], "ESPALIER_MULTIHOP_DIR"],
])("npm run optimize hands the folder of %s on to the study", async (name, option, variable) => {
  const script = resolve(repository, "scripts/optimize.ts");
  const run = promisify(execFile)(
    process.execPath,
    ["--conditions=espalier:source", script, "--trainset", name, ...option],
    { cwd: repository },
  );
  await expect(run).rejects.toMatchObject({
    stderr: expect.stringMatching(`${variable} does not name a folder.*/no/such/folder`) as string,
  });
});
