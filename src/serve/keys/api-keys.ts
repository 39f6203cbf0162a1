import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { EspalierError } from "../../errors/index.ts";
import { ApiError } from "../api-error/api-error.ts";
import type { KeyLine } from "./key-lines.ts";
import { checkKeyName, keyLines } from "./key-lines.ts";

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

export function keysOf(known: readonly KeyLine[]): ApiKeys {
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
