import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { modelFile } from "@espalier/local";
import { scriptOptions } from "../../../scripts/support/script-options.ts";
import { repository, testCacheFolder } from "../python/test-cache.ts";
import { models } from "./models.ts";

/**
 * Runs the tests that trained models answer with the models inside the process, and keeps what
 * these say: see `recordedModels`.
 */
scriptOptions({
  command: "npm run record:models",
  about:
    "Records what trained models answer the tests, in test/support/recorded-models. Weights are in ESPALIER_MODELS, or are fetched into the cache of the tests.",
});
const folder = (process.env["ESPALIER_MODELS"] ??= join(testCacheFolder(), "models"));
for (const name of Object.keys(models)) {
  await modelFile(name, { onNote: (note) => process.stderr.write(`${name}: ${note}\n`) });
}
const { status } = spawnSync(
  join(repository, "node_modules/.bin/vitest"),
  ["run", "--testTimeout=0", "--no-file-parallelism", "/recorded-models.test.ts"],
  {
    cwd: repository,
    env: { ...process.env, ESPALIER_MODELS: folder, ESPALIER_RECORD_MODELS: "1" },
    stdio: "inherit",
  },
);
process.exitCode = status ?? 1;
