/**
 * Optimizes an agent that writes SQL for execution accuracy on a small SQLite database of our own
 * writing: `espalier optimize optimizers/text-to-sql.ts`.
 */
import { study } from "espalier";
import { gepa } from "espalier/optimizer";
import { executionAccuracy, textToSql } from "../programs/text-to-sql/index.ts";
import { harbourDatabase, harbourQuestions, harbourSchema } from "../trainsets/sql/index.ts";

export default async () => {
  const sqlite = harbourDatabase();
  const database = {
    schema: harbourSchema(),
    rowsOf: (sql: string) =>
      sqlite
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)),
  };
  return study({
    name: "text-to-sql",
    program: textToSql(database),
    trainset: await harbourQuestions(),
    objective: executionAccuracy(database),
    optimizer: gepa({
      budget: { metricCalls: 800, reflectionCalls: 60, toolCalls: 4_000 },
      components: ["instruction", "toolDescription"],
    }),
  });
};
