import { visibleText } from "../../internal/index.ts";

/**
 * Prints to standard output. All output goes through here, so that no outside text controls a
 * terminal.
 */
export function print(text: string): void {
  aboveLive(() => console.log(visibleText(text)));
}

/** Prints a text of ours that may be styled: escape sequences stay. */
export function printStyled(text: string): void {
  aboveLive(() => console.log(text));
}

/** Prints to standard error. */
export function printToStderr(text: string): void {
  aboveLive(() => console.error(visibleText(text)));
}

/** Writes to standard error without adding a line feed. */
export function writeToStderr(text: string): void {
  process.stderr.write(visibleText(text));
}

/**
 * Replaces the line at the bottom of the terminal, which stays below what is printed; an empty one
 * ends it. Standard error must be a terminal.
 */
export function replaceStderrLine(line: string): void {
  // A wrapped line could not be replaced.
  const width = columnsOf(process.stderr) - 1;
  live = visibleText(joinLines([line])).slice(0, width);
  process.stderr.write(`\r${live}\u001b[K`);
}

/** Of a terminal; 80 where it does not tell, which some do with 0. */
export function columnsOf({ columns = 0 }: { readonly columns?: number }): number {
  return columns > 0 ? columns : 80;
}

/** There is one terminal, and this file alone writes to it. */
let live = "";

function aboveLive(write: () => void): void {
  if (live === "") return write();
  process.stderr.write("\r\u001b[K");
  write();
  process.stderr.write(live);
}

/** Rows as lines of aligned columns: the first one flush left, the others to the given side. */
export function columns(
  table: readonly (readonly string[])[],
  side: "left" | "right" = "right",
): readonly string[] {
  const count = Math.max(0, ...table.map(({ length }) => length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || side === "left"
          ? cell.padEnd(widths[0] ?? 0)
          : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

/**
 * Joins lines into one text. An outside name or message may hold a line feed, which would add a
 * line to a table, so it is shown as `\u000a`, the way `visibleText` shows other control
 * characters.
 */
export function joinLines(lines: readonly string[]): string {
  return lines.map((line) => line.replaceAll("\n", String.raw`\u000a`)).join("\n");
}
