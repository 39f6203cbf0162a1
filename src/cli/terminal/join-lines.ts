/**
 * Joins lines into one text. An outside name or message may hold a line feed, which would add a
 * line to a table, so it is shown as `\u000a`, the way `visibleText` shows other control
 * characters.
 */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => line.replaceAll("\n", String.raw`\u000a`)).join("\n");
}
