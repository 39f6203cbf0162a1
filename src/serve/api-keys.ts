import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { EspalierError, failureOf, messageOf } from "../errors/index.ts";
import { ApiError } from "./api-error/api-error.ts";
import type { Admission } from "./answer/admission.ts";
import type { ServerLog } from "./telemetry/server-log.ts";
import { readFileSync } from "node:fs";
import { checkMilliseconds } from "../internal/index.ts";
import type { FileStamp } from "../storage/index.ts";
import { fileStamp } from "../storage/index.ts";

/** The keys that may ask. Holds hashes only. */
export interface ApiKeys {
  /** Names of the keys, for start-up output. */
  readonly names: readonly string[];
  /**
   * The name of the key in an `Authorization` header.
   *
   * @throws ApiError 401, which does not say which part was wrong
   */
  nameOf(authorization: string | undefined): string;
  /** Reports changes until disposed of. @default the keys never change */
  watch?(events: ApiKeyEvents): Disposable;
}

export interface ApiKeyEvents {
  /** Called when the keys have changed. */
  readonly onChanged: (change: {
    /** Names that have lost all the keys they had. */
    readonly revoked: readonly string[];
  }) => void;
  /** Called if the source cannot be used: the previous keys stay in force. */
  readonly onFault: (error: unknown) => void;
}

/** A key of 256 random bits, and its line for the key file. */
export function newApiKey(name: string): { readonly key: string; readonly line: string } {
  checkKeyName(name, "the key name");
  const key = `esp-${randomBytes(32).toString("base64url")}`;
  return { key, line: `${name} sha256:${hashOf(key).toString("hex")}` };
}

/**
 * Reads the lines of a key file: each is `NAME sha256:HEX`. Skips empty lines and `#` comments.
 * SHA-256 needs no salt here: a key has 256 random bits, so there is nothing to guess.
 *
 * @throws EspalierError `file-malformed`; the message never contains the line's content
 */
export function apiKeys(content: string, where: string): ApiKeys {
  return keysOf(keyLines(content, where));
}

/**
 * Plain-text keys, hashed at once. The name of each is `key-` and the first 8 hexadecimal digits of
 * its SHA-256, so it stays the same when earlier keys are removed.
 *
 * @param keys separated by commas, at least 32 characters each
 * @throws EspalierError `option-invalid`; the message never contains a key
 */
export function apiKeysInClear(keys: string, where: string): ApiKeys {
  const given = keys.split(",").map((key) => key.trim());
  if (given.some((key) => key.length < 32 || /\s/.test(key))) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "A key is too short, or contains white space",
      where,
      expected: "keys of at least 32 random characters, separated by commas",
      fix: "Create one with `espalier serve --new-key NAME`.",
    });
  }
  return keysOf(
    given.map((key) => {
      const hash = hashOf(key);
      return { name: `key-${hash.toString("hex").slice(0, 8)}`, hash };
    }),
  );
}

export interface KeyLine {
  readonly name: string;
  /** SHA-256. */
  readonly hash: Buffer;
}

function keysOf(known: readonly KeyLine[]): ApiKeys {
  return {
    names: [...new Set(known.map(({ name }) => name))],
    nameOf: (authorization = "") => {
      const presented = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
      const hash = hashOf(presented ?? "");
      // Compare every key, even after a match: the time reveals nothing.
      let found: string | undefined;
      for (const each of known) if (timingSafeEqual(each.hash, hash)) found = each.name;
      if (presented !== undefined && found !== undefined) return found;
      throw new ApiError(
        401,
        presented === undefined ? "missing_api_key" : "invalid_api_key",
        presented === undefined
          ? "This server requires a key: `Authorization: Bearer KEY`."
          : "The key is not valid for this server.",
      );
    },
  };
}

function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/**
 * Reads the lines of a key file: `NAME sha256:HEX`. Skips empty lines and `#` comments. Several
 * keys may have one name.
 *
 * @param mayBeEmpty whether a file without keys is valid. @default false
 * @throws EspalierError `file-malformed`; the message never contains the line's content
 */
function keyLines(
  content: string,
  where: string,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): readonly KeyLine[] {
  const lines = content.split(/\r?\n/).map((line) => (line.split("#", 1)[0] ?? "").trim());
  const read = lines.flatMap((line, index) => {
    if (line === "") return [];
    const [name = "", digest = "", ...rest] = line.split(/\s+/);
    const [, hex] = /^sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
    const at = `${where}, line ${index + 1}`;
    if (hex === undefined || rest.length > 0) throw malformed(at);
    checkKeyName(name, at);
    return [{ name, hash: Buffer.from(hex, "hex") }];
  });
  if (read.length === 0 && !mayBeEmpty) throw malformed(where);
  return read;
}

/** @throws EspalierError `option-invalid` */
function checkKeyName(name: string, where: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "The name of a key is invalid",
    where,
    expected: "at most 64 letters, digits, `.`, `_` and `-`",
  });
}

function malformed(where: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "The key file is malformed",
    where,
    expected: "lines of `NAME sha256:HEX` with 64 hexadecimal digits",
    fix: "Create a line with `espalier serve --new-key NAME`.",
  });
}

/** Admits requests by key. */
interface KeyGate {
  /**
   * The name of the key of a request; `undefined` on a server without keys. Checks again at each
   * call, since a key may be revoked while a body is on its way.
   *
   * @throws ApiError 401
   */
  readonly nameOf: (request: Request) => string | undefined;
  /** Whether more than one API key may ask now. */
  readonly hasSeveralKeys: () => boolean;
  /** Fields of `/ready`, none of which makes the server unready; empty on a server without keys. */
  readonly informational: Readonly<Record<string, () => string>>;
  /** Applies changes of keys until disposed of. */
  watch(admission: Pick<Admission, "dismiss">): Disposable | undefined;
}

export function keyGate(keys: ApiKeys | undefined, log: ServerLog): KeyGate {
  let fault: string | null = null;
  return {
    nameOf: (request) => keys?.nameOf(request.headers.get("authorization") ?? undefined),
    hasSeveralKeys: () => (keys?.names.length ?? 0) > 1,
    informational: keys === undefined ? {} : { keys: () => fault ?? "ok" },
    watch: (admission) =>
      keys?.watch?.({
        onChanged: ({ revoked }) => {
          fault = null;
          log("keys-changed", { keys: keys.names.length, revoked: [...revoked] });
          admission.dismiss(revoked);
        },
        onFault: (error) => {
          fault = failureOf(error).code;
          log("keys-unusable", { problem: messageOf(error) });
        },
      }),
  };
}

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
