import { EspalierError } from "../../errors/index.ts";

/** One line of a key file. */
export interface KeyLine {
  readonly name: string;
  /** SHA-256. */
  readonly hash: Buffer;
}

/**
 * Reads the lines of a key file: `NAME sha256:HEX`. Skips empty lines and `#` comments. Several
 * keys may have one name.
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
export function checkKeyName(name: string, where: string): void {
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
