import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelFolders } from "./model-folders.ts";
import { pythonEnvironment } from "./python-environment.ts";
import type { ServerFolders } from "./server-process.ts";
import { testCacheFolder } from "./test-cache.ts";

/**
 * What servers need, installed and made where that has not been done; and a folder for what they
 * write, removed at the end.
 *
 * @throws UnavailableError
 */
export async function serverFolders(): Promise<ServerFolders & Disposable> {
  const cache = testCacheFolder();
  const python = await pythonEnvironment(cache);
  const models = await modelFolders(cache, python);
  // Short: vLLM makes sockets in it, whose paths may have 107 characters.
  const scratch = mkdtempSync(join(tmpdir(), "espalier-vllm-"));
  return {
    python,
    models,
    scratch,
    [Symbol.dispose]: () => rmSync(scratch, { recursive: true, force: true }),
  };
}
