/**
 * Text as Python reads it: the official scripts are Python, whose white space is Unicode's, while
 * JavaScript's `\s` is another set.
 */

// What Python's `str.split` splits at; unlike `\s` it holds U+001C to U+001F and U+0085, not U+FEFF.
// oxlint-disable-next-line no-control-regex -- these control characters are white space to Python
const whiteSpace = /[\t-\r\u001C- \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/;

/** Python's `text.split()`: the parts between white space, none of them empty. */
export function pythonSplit(text: string): readonly string[] {
  return text.split(whiteSpace).filter((part) => part !== "");
}

/** Python's `text.lstrip()`. */
export function pythonTrimStart(text: string): string {
  const match = whiteSpace.exec(text);
  return match?.index === 0 ? text.slice(match[0].length) : text;
}
