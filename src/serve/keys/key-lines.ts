import { EspalierError } from "../../errors/index.ts";
import type { KeyLimits } from "./key-limits.ts";
import { keyLimitWords, readKeyLimits } from "./key-limits.ts";

/** One line of a key file. */
export interface KeyLine {
  readonly name: string;
  /** SHA-256. */
  readonly hash: Buffer;
  readonly limits: KeyLimits;
}

/**
 * Reads the lines of a key file: `NAME sha256:HEX`, optionally followed by limits. Skips empty
 * lines and `#` comments. Several keys may have one name; they then have the same limits and share
 * them.
 *
 * @param mayBeEmpty whether a file without keys is valid. @default false
 * @throws EspalierError `file-malformed`; the message never contains the line's content
 */
export function keyLines(
  content: string,
  where: string,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): readonly KeyLine[] {
  const lines = content.split(/\r?\n/).map((line) => (line.split("#", 1)[0] ?? "").trim());
  const known = new Map<string, KeyLimits>();
  const read = lines.flatMap((line, index) => {
    if (line === "") return [];
    const [name = "", digest = "", ...rest] = line.split(/\s+/);
    const [, hex] = /^sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
    const limits = readKeyLimits(rest);
    const at = `${where}, line ${index + 1}`;
    if (hex === undefined || limits === undefined) throw malformed(at);
    checkKeyName(name, at);
    const before = known.get(name);
    if (before !== undefined && !isSame(before, limits)) throw otherLimits(at);
    known.set(name, limits);
    return [{ name, hash: Buffer.from(hex, "hex"), limits }];
  });
  if (read.length === 0 && !mayBeEmpty) throw malformed(where);
  return read;
}

/** @throws EspalierError `option-invalid` */
export function checkKeyName(name: string, where: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return;
  throw new EspalierError({
    code: "option-invalid",
    problem: "The name of a key is invalid",
    where,
    expected: "at most 64 letters, digits, `.`, `_` and `-`",
  });
}

function isSame(left: KeyLimits, right: KeyLimits): boolean {
  const { concurrency, requestsPerMinute, tokensPerDay } = left;
  return (
    concurrency === right.concurrency &&
    requestsPerMinute === right.requestsPerMinute &&
    tokensPerDay === right.tokensPerDay
  );
}

function malformed(where: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "The key file is malformed",
    where,
    expected: `lines of \`NAME sha256:HEX\` with 64 hexadecimal digits, optionally followed by ${keyLimitWords}, where N is a whole number of at least 1, or \`none\``,
    fix: "Create a line with `espalier serve --new-key NAME`.",
  });
}

function otherLimits(where: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "Two keys with the same name have different limits",
    where,
    expected: "the same limits on every line with this name, since its keys share them",
    fix: "Repeat the limits, or give the key another name.",
  });
}
