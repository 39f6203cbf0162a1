import { execFile } from "node:child_process";
import { mkdtempDisposable, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
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

test("npm run optimize takes the rehearsal LM where no weights can be had, and says so", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "espalier-models-"));
  const nowhere = "http://127.0.0.1:1";
  // The retriever writes its index where it runs.
  await symlink(join(repository, "optimizers"), join(folder.path, "optimizers"));
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ["--conditions=espalier:source", resolve(repository, "scripts/optimize.ts"), "--plan"],
    {
      cwd: folder.path,
      env: {
        ...process.env,
        ESPALIER_MODELS: join(folder.path, "models"),
        HF_ENDPOINT: nowhere,
        PIP_INDEX_URL: nowhere,
        PIP_EXTRA_INDEX_URL: "",
        PIP_FIND_LINKS: "",
        PIP_NO_INDEX: "1",
        PIP_CONFIG_FILE: "/dev/null",
        PIP_RETRIES: "0",
      },
    },
  );
  expect(stderr).toContain("No trained model runs here, so the rehearsal LM");
  expect(stderr).toContain("rehearsal");
  expect(stderr).toMatch(/plan: \d+ metric calls for the seed/);
});
