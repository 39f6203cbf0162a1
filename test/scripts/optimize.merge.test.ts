import { execFile } from "node:child_process";
import { mkdtempDisposable, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const repository = resolve(import.meta.dirname, "../..");

/** Runs the script in a folder of its own, where the retriever writes its index. */
async function optimize(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  await using folder = await mkdtempDisposable(join(tmpdir(), "espalier-optimize-"));
  await symlink(join(repository, "optimizers"), join(folder.path, "optimizers"));
  return await promisify(execFile)(
    process.execPath,
    ["--conditions=espalier:source", resolve(repository, "scripts/optimize.ts"), ...words],
    {
      cwd: folder.path,
      env: { ...process.env, ESPALIER_MODELS: join(folder.path, "models"), ...env },
    },
  );
}

test.each([
  ["mtrag", ["--mtrag-dir", "/no/such/folder"], "ESPALIER_MTRAG_DIR"],
  ["musique", ["--multihop-dir=/no/such/folder"], "ESPALIER_MULTIHOP_DIR"],
])("npm run optimize hands the folder of %s on to the study", async (name, option, variable) => {
  await expect(optimize(["--trainset", name, ...option])).rejects.toMatchObject({
    stderr: expect.stringMatching(`${variable} does not name a folder.*/no/such/folder`) as string,
  });
});

test("npm run optimize takes the rehearsal LM where no weights can be had, and says so", async () => {
  const nowhere = "http://127.0.0.1:1";
  const { stderr } = await optimize(["--plan"], {
    HF_ENDPOINT: nowhere,
    PIP_INDEX_URL: nowhere,
    PIP_EXTRA_INDEX_URL: "",
    PIP_FIND_LINKS: "",
    PIP_NO_INDEX: "1",
    PIP_CONFIG_FILE: "/dev/null",
    PIP_RETRIES: "0",
  });
  expect(stderr).toContain("No trained model runs here, so the rehearsal LM");
  expect(stderr).toMatch(/plan: \d+ metric calls for the seed/);
});
