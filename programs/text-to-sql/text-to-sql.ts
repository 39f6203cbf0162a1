import { agent, program, text, tool } from "espalier";
import { z } from "zod";
import { askDatabase } from "../../signatures/index.ts";

/** A database that only answers. */
export interface Database {
  /** Its tables, as SQL declares them. */
  readonly schema: string;
  /** The rows of a query, in order; throws what the database says of a wrong one. */
  rowsOf(sql: string): readonly (readonly unknown[])[];
}

/** Rows that one result shows. */
const maxRows = 20;

/** Writes SQL for a question: an agent that reads the tables and tries its queries. */
export const textToSql = (database: Database) =>
  program({
    name: "text-to-sql",
    version: "1",
    input: { question: text("question", "The question about what the database holds.") },
    output: { sql: text("code", "One SQL query for SQLite.") },
    predictors: {
      query: agent({
        signature: askDatabase,
        tools: [
          tool({
            name: "list_tables",
            description: "Shows the tables of the database.",
            input: {},
            run: () => database.schema,
          }),
          tool({
            name: "run_sql",
            description: "Runs an SQL query and shows its rows.",
            input: { sql: z.string().describe("One SELECT.") },
            run: ({ sql }) => {
              const rows = database.rowsOf(sql).map((row) => row.map(String));
              return { rows: rows.slice(0, maxRows), count: rows.length };
            },
          }),
        ],
        maxSteps: 4,
        maxToolCalls: 8,
      }),
    },
    forward: async ({ question }, { predictors }) => predictors.query({ question }),
  });
