import { EspalierError } from "../errors/index.ts";

/**
 * Checks that HTTP can send headers, whose values may be keys: the errors of Node.js and `fetch`
 * come late, and quote them.
 *
 * @throws EspalierError `option-invalid`, which names the header and never its value
 */
export function checkHeaders(headers: Readonly<Record<string, string>>, where: string): void {
  for (const [name, value] of Object.entries(headers)) {
    // Around a value, white space and line breaks are dropped.
    const lines = value.split(/[\n\r]/).filter((line) => line.trim() !== "");
    const isSendable = lines.length < 2 && !/[^\t\n\r\x20-\x7e\x80-\xff]/.test(value);
    if (isSendable && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) continue;
    const isKey = name.toLowerCase() === "authorization";
    throw new EspalierError({
      code: "option-invalid",
      problem: isSendable
        ? "A header has a name that HTTP does not allow"
        : `${isKey ? "The API key" : `The header \`${name}\``} contains a character that HTTP does not allow`,
      where,
      expected: "one line of plain characters",
      fix: "Copy it again: formatted text can add typographic quotation marks, and files a byte order mark.",
    });
  }
}
