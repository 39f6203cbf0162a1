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
    columns: body.split("\n").flatMap((line) => columnIn(line) ?? []),
  }));
}

function declarationsIn(text: string): readonly { readonly name: string; readonly body: string }[] {
  return text
    .split(/CREATE TABLE\s/i)
    .slice(1)
    .flatMap((rest) => {
      const start = rest.indexOf("(\n");
      const end = rest.indexOf("\n)");
      const name = rest.slice(0, start).replaceAll('"', "").trim();
      if (start === -1 || end < start || !/^\w+$/.test(name)) return [];
      return [{ name, body: rest.slice(start + 2, end) }];
    });
}

function columnIn(line: string): Table["columns"][number] | null {
  const [declared = "", ...comment] = line.split("--");
  const [name, type] = declared.replaceAll(/[",]/g, " ").trim().split(/\s+/);
  if (name === undefined || type === undefined) return null;
  const values = comment.join("--").split(",");
  return {
    name,
    isNumber: /int|real|num|float/i.test(type),
    values: values.map((value) => value.trim()).filter((value) => value !== ""),
  };
}
