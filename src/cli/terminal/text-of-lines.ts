/**
 * Lines as one text. A name or a message from outside may hold a line feed, which would add a line to a table:
 * it is shown as `\u000a`, as `visibleText` shows other control characters.
 */
export function textOfLines(lines: readonly string[]): string {
  return lines.map((line) => line.replaceAll("\n", String.raw`\u000a`)).join("\n");
}
