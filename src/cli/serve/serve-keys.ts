import { EspalierError } from "../../errors/index.ts";
import type { ApiKeys } from "../../serve/index.ts";
import { apiKeyFile, apiKeysInClear, isLoopback } from "../../serve/index.ts";

/** The variable with plain-text keys, for setups where a file is inconvenient. */
export const keysVariable = "ESPALIER_SERVE_KEYS";

/**
 * Keys from the file, or else from the environment. A server that other machines can reach needs
 * keys, unless it is explicitly open.
 *
 * @throws EspalierError `file-missing`, `file-malformed`, `option-invalid`, `usage-invalid`
 */
export function serveKeys({
  file,
  host,
  isOpen,
}: {
  readonly file: string | undefined;
  readonly host: string;
  readonly isOpen: boolean;
}): ApiKeys | undefined {
  const inClear = process.env[keysVariable];
  if (file !== undefined) return apiKeyFile(file);
  if (inClear !== undefined && inClear !== "") return apiKeysInClear(inClear, keysVariable);
  if (isOpen || isLoopback(host)) return undefined;
  throw new EspalierError({
    code: "usage-invalid",
    problem: `Other machines can reach ${host}, but there are no keys`,
    expected: `--keys FILE, ${keysVariable}, or --no-auth to accept requests without a key`,
    fix: "Create a key with `espalier serve --new-key NAME`.",
  });
}
