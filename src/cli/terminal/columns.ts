/** Rows as lines of aligned columns: the first one flush left, the others flush right. */
export function columns(table: readonly (readonly string[])[]): readonly string[] {
  const count = Math.max(0, ...table.map(({ length }) => length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}
