/** What opens a line of the frame that cases are shown in. */
const openings = {
  heading: "#{1,6}[ \\t]",
  passage: "\\[\\d+\\]",
  turn: "(?:user|assistant):",
  item: "\\d+\\. ",
} as const;

/**
 * A text in which a backslash stands before each line that would open another part of the frame, as
 * Markdown escapes a heading; its first line only where it opens a line.
 */
export function escapedLines(
  text: string,
  part: keyof typeof openings,
  { isFirstLineInside = false }: { readonly isFirstLineInside?: boolean } = {},
): string {
  const start = isFirstLineInside ? "" : "^|";
  const lines = new RegExp(
    `((?:${start}[\\n\\r\\u0085\\u2028\\u2029])[ \\t]*)(?=${openings[part]})`,
    "gu",
  );
  return text.replaceAll(lines, "$1\\");
}
