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
  return [...text.matchAll(/CREATE TABLE\s+"?(\w+)"?\s*\(\n([\s\S]*?)\n\)/gi)].map(
    ([, name = "", body = ""]) => ({
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
    }),
  );
}

/** The line, the column's name, its type, and the comment after `--`. */
function columnOf(line: string): readonly string[] | null {
  const [declared = "", ...comment] = line.split("--");
  const [name, type] = declared.trim().split(/\s+/);
  if (name === undefined || type === undefined) return null;
  return [line, name.replaceAll('"', ""), type.replaceAll(",", ""), comment.join("--").trim()];
}
