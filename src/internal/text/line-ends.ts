/** All line terminators of Unicode and Python, as the inside of a character class. */
export const lineEnds: string = String.raw`\n\r\v\f\u001C-\u001E\u0085\u2028\u2029`;

const lineEnd = new RegExp(`[${lineEnds}]`, "u");

export function hasLines(text: string): boolean {
  return lineEnd.test(text);
}
