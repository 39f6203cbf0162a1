import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { randomModels } from "./model-folders.ts";
import { pythonEnvironment } from "../../support/python/python-environment.ts";
import type { ServerFolders } from "./server-process.ts";
import { testCacheFolder } from "../../support/python/test-cache.ts";

/**
 * What servers need, installed and made where that has not been done; and a folder for what they
 * write, removed at the end.
 *
 * @throws UnavailableError
 */
export async function serverFolders(): Promise<ServerFolders & Disposable> {
  const cache = testCacheFolder();
  const python = await pythonEnvironment(cache, {
    requirementsFile: resolve(import.meta.dirname, "../requirements.txt"),
    what: {
      name: "vLLM's CPU build",
      cost: "a download of about 700 MB, 2.2 GB on disk, some 3 to 10 minutes",
    },
  });
  const random = await randomModels({ cache, python });
  // Short: vLLM makes sockets in it, whose paths may have 107 characters.
  const scratch = mkdtempSync(join(tmpdir(), "espalier-vllm-"));
  return {
    cache,
    python,
    random,
    scratch,
    [Symbol.dispose]: () => rmSync(scratch, { recursive: true, force: true }),
  };
}
