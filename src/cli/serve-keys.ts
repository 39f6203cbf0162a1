import { readFile } from "node:fs/promises";
import { EspalierError, messageOf } from "../errors/index.ts";
import type { ApiKeys } from "../serve/index.ts";
import { apiKeys, apiKeysInClear, isLoopback } from "../serve/index.ts";

/** The variable with keys in clear, for where a file is inconvenient. */
export const keysVariable = "ESPALIER_SERVE_KEYS";

/**
 * Keys from the file, or else from the environment. A server that other machines can reach needs keys,
 * unless it is said to be open.
 *
 * @throws EspalierError `file-missing`, `file-malformed`, `option-invalid`, `usage-invalid`
 */
export async function serveKeys({
  file,
  host,
  isOpen,
}: {
  readonly file: string | undefined;
  readonly host: string;
  readonly isOpen: boolean;
}): Promise<ApiKeys | undefined> {
  const inClear = process.env[keysVariable];
  if (file !== undefined) return apiKeys(await read(file), file);
  if (inClear !== undefined && inClear !== "") return apiKeysInClear(inClear, keysVariable);
  if (isOpen || isLoopback(host)) return undefined;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `Other machines can reach ${host}, and there are no keys`,
    expected: `--keys FILE, ${keysVariable}, or --open for a server that anybody may ask`,
    fix: "Make a key with `espalier serve --new-key NAME`.",
  });
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new EspalierError({
      code: "file-missing",
      problem: `The file of keys "${file}" cannot be read`,
      got: messageOf(error),
      cause: error,
    });
  }
}
