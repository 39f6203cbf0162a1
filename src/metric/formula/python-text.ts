/**
 * Text functions with Python's semantics: the official scripts are Python, whose white space is
 * Unicode's; JavaScript's `\s` is a different set.
 */

// The separators of Python's `str.split`; unlike `\s` they include U+001C to U+001F and U+0085, but
// not U+FEFF.
// oxlint-disable-next-line no-control-regex -- these control characters are white space to Python
const whiteSpace = /[\t-\r\u001C- \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/;

/** Python's `text.split()`: the non-empty parts between white space. */
export function pythonSplit(text: string): readonly string[] {
  return text.split(whiteSpace).filter((part) => part !== "");
}

/** Python's `text.lstrip()`. */
export function pythonTrimStart(text: string): string {
  const match = whiteSpace.exec(text);
  return match?.index === 0 ? text.slice(match[0].length) : text;
}
