import { readFileSync } from "node:fs";
import { EspalierError, messageOf } from "../errors/index.ts";
import { checkMilliseconds } from "../internal/index.ts";
import type { FileStamp } from "../storage/index.ts";
import { fileStamp } from "../storage/index.ts";
import type { ApiKeyEvents, ApiKeys, KeyLine } from "./api-keys.ts";
import { keyLines, keysOf } from "./api-keys.ts";

/**
 * The keys of a file, which is read again when it changed: checked with each request and, while it
 * is watched, also between requests. An unusable file changes nothing; a file without keys admits
 * no one.
 *
 * @param intervalMs between checks while it is watched; at least 1
 * @throws EspalierError `option-invalid`, `file-missing`, `file-malformed`
 */
export function apiKeyFile(
  path: string,
  { intervalMs = 500 }: { readonly intervalMs?: number } = {},
): ApiKeys {
  checkMilliseconds("intervalMs", intervalMs, { least: 1 });
  const listeners = new Set<ApiKeyEvents>();
  let seen: FileStamp | null = null;
  let content = read(path);
  let lines = keyLines(content, path);
  let keys = keysOf(lines);
  let fault = "";

  const take = (now: string, isSettled: boolean): void => {
    if (now === content && fault === "") return;
    const after = keyLines(now, path, { mayBeEmpty: true });
    // A file that is written in place is empty for a moment.
    if (after.length === 0 && !isSettled) return;
    const revoked = revokedNames(lines, after);
    content = now;
    lines = after;
    keys = keysOf(after);
    fault = "";
    for (const { onChanged } of listeners) onChanged({ revoked });
  };
  const look = (): void => {
    try {
      const stamp = fileStamp(path);
      if (stamp !== null && stamp.id === seen?.id && seen.isSettled) return;
      seen = stamp;
      take(read(path), stamp?.isSettled === true);
    } catch (error) {
      // Report a fault once, however often it recurs.
      if (fault === messageOf(error)) return;
      fault = messageOf(error);
      for (const { onFault } of listeners) onFault(error);
    }
  };
  return {
    get names() {
      return keys.names;
    },
    nameOf: (authorization) => {
      look();
      return keys.nameOf(authorization);
    },
    watch: (events) => {
      listeners.add(events);
      const timer = setInterval(look, intervalMs).unref();
      return {
        [Symbol.dispose]: () => {
          clearInterval(timer);
          listeners.delete(events);
        },
      };
    },
  };
}

function revokedNames(before: readonly KeyLine[], after: readonly KeyLine[]): readonly string[] {
  const kept = new Set(
    before
      .filter((old) => after.some(({ name, hash }) => name === old.name && hash.equals(old.hash)))
      .map(({ name }) => name),
  );
  return [...new Set(before.map(({ name }) => name))].filter((name) => !kept.has(name));
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new EspalierError({
      code: "file-missing",
      problem: `The key file "${path}" cannot be read`,
      got: messageOf(error),
      cause: error,
    });
  }
}
