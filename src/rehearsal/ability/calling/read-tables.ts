/** A table as a result shows it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly isNumber: boolean;
    /** Values that a comment beside the column lists. */
    readonly values: readonly string[];
  }[];
}

/**
 * The tables that a text declares: `CREATE TABLE name (`, one column a line, each with its type
 * and, after `--`, some of its values, separated by commas.
 */
export function readTables(text: string): readonly Table[] {
  return declarationsIn(text).map(({ name, body }) => ({
    name,
    columns: body.split("\n").flatMap((line) => {
      const [, column, type = "", comment = ""] = columnOf(line) ?? [];
      if (column === undefined) return [];
      const isNumber = /int|real|num|float/i.test(type);
      const values = comment
        .split(",")
        .map((value) => value.trim())
        .filter((value) => value !== "");
      return [{ name: column, isNumber, values }];
    }),
  }));
}

/** The line, the column's name, its type, and the comment after `--`. */
function columnOf(line: string): readonly string[] | null {
  const [declared = "", ...comment] = line.split("--");
  const [name, type] = declared.trim().split(/\s+/);
  if (name === undefined || type === undefined) return null;
  return [line, name.replaceAll('"', ""), type.replaceAll(",", ""), comment.join("--").trim()];
}

function declarationsIn(text: string): readonly { readonly name: string; readonly body: string }[] {
  return text
    .split("CREATE TABLE ")
    .slice(1)
    .flatMap((rest) => {
      const [start, end] = [rest.indexOf("(\n"), rest.indexOf("\n)")];
      if (start === -1 || end < start) return [];
      return [
        { name: rest.slice(0, start).replaceAll('"', "").trim(), body: rest.slice(start + 2, end) },
      ];
    });
}
