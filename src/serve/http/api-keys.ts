import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { EspalierError } from "../../errors/index.ts";
import { ApiError } from "./api-error.ts";

/** Who may ask. Holds hashes only. */
export interface ApiKeys {
  /** Names of the keys, for start-up output. */
  readonly names: readonly string[];
  /**
   * The name of the key in an `Authorization` header.
   *
   * @throws ApiError 401; which part was wrong is not said
   */
  nameOf(authorization: string | undefined): string;
}

/** A key of 256 random bits, and the line of the key file that lets it in. */
export function newApiKey(name: string): { readonly key: string; readonly line: string } {
  checkName(name, "the name of the key");
  const key = `esp-${randomBytes(32).toString("base64url")}`;
  return { key, line: `${name} sha256:${hashOf(key).toString("hex")}` };
}

/**
 * Reads the lines of a key file: `NAME sha256:HEX` each, empty ones and `#` comments apart. SHA-256
 * without a salt will do because a key has 256 random bits: there is nothing to guess.
 *
 * @throws EspalierError `file-malformed`; the message never holds what stands in the line
 */
export function apiKeys(content: string, where: string): ApiKeys {
  const lines = content.split(/\r?\n/).map((line) => line.replace(/#.*$/, "").trim());
  const known = lines.flatMap((line, index) => {
    if (line === "") return [];
    const [, name, hex] = /^(\S+)\s+sha256:([0-9a-f]{64})$/.exec(line) ?? [];
    const at = `${where}, line ${index + 1}`;
    if (name === undefined || hex === undefined) throw malformed(at);
    checkName(name, at);
    return [{ name, hash: Buffer.from(hex, "hex") }];
  });
  if (known.length === 0) throw malformed(where);
  return keysOf(known);
}

/**
 * Keys as they are, hashed at once.
 *
 * @param keys with commas between them, at least 32 characters each
 * @throws EspalierError `option-invalid`; the message never holds a key
 */
export function apiKeysInClear(keys: string, where: string): ApiKeys {
  const given = keys.split(",").map((key) => key.trim());
  if (given.some((key) => key.length < 32 || /\s/.test(key))) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "A key is too short to be kept as a hash, or holds white space",
      where,
      expected: "at least 32 random characters, and commas between keys",
      fix: "Make one with `espalier serve --new-key NAME`.",
    });
  }
  return keysOf(given.map((key, index) => ({ name: `key-${index + 1}`, hash: hashOf(key) })));
}

function keysOf(known: readonly { readonly name: string; readonly hash: Buffer }[]): ApiKeys {
  return {
    names: known.map(({ name }) => name),
    nameOf: (authorization = "") => {
      const presented = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
      const hash = hashOf(presented ?? "");
      // Every key is compared, whichever fits: the time tells nothing.
      let found: string | undefined;
      for (const each of known) if (timingSafeEqual(each.hash, hash)) found = each.name;
      if (presented !== undefined && found !== undefined) return found;
      throw new ApiError(
        401,
        presented === undefined ? "missing_api_key" : "invalid_api_key",
        presented === undefined
          ? "This server asks for a key: `Authorization: Bearer KEY`."
          : "The key is not one that this server knows.",
      );
    },
  };
}

function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

function checkName(name: string, where: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "A key has no usable name",
    where,
    expected: "at most 64 letters, digits, `.`, `_` and `-`",
  });
}

function malformed(where: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "The file of keys cannot be read",
    where,
    expected: "lines of `NAME sha256:64 HEXADECIMAL DIGITS`",
    fix: "Make one with `espalier serve --new-key NAME`.",
  });
}
