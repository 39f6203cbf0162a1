import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const maxRows = 1_000;

const database = new DatabaseSync(":memory:");
database.exec(readFileSync(process.argv[2] ?? "", "utf8"));
database.exec("PRAGMA query_only = ON");

process.on("message", (sql: string) => {
  process.send?.(resultOf(sql));
});

function resultOf(sql: string): object {
  try {
    const rows: unknown[] = [];
    for (const row of database.prepare(sql).iterate()) {
      if (rows.length === maxRows) return { error: `More than ${maxRows} rows` };
      rows.push(Object.values(row));
    }
    return { rows };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
