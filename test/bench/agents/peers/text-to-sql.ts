/** `programs/text-to-sql` with the AI SDK's tool loop. */
import type { LanguageModel } from "ai";
import { Output, isStepCount, tool, ToolLoopAgent } from "ai";
import { z } from "zod";

interface Database {
  readonly schema: string;
  rowsOf(sql: string): readonly (readonly unknown[])[];
}

const maxRows = 20;
const maxSteps = 4;

export function textToSql(model: LanguageModel, database: Database) {
  return new ToolLoopAgent({
    model,
    instructions: "Write the SQL query that answers the question.",
    tools: {
      list_tables: tool({
        description: "Shows the tables of the database.",
        inputSchema: z.object({}),
        execute: () => database.schema,
      }),
      run_sql: tool({
        description: "Runs an SQL query and shows its rows.",
        inputSchema: z.object({ sql: z.string().describe("One SELECT.") }),
        execute: ({ sql }) => {
          const rows = database.rowsOf(sql).map((row) => row.map(String));
          return { rows: rows.slice(0, maxRows), count: rows.length };
        },
      }),
    },
    stopWhen: [
      isStepCount(maxSteps + 1),
      ({ steps }) => steps.flatMap(({ toolCalls }) => toolCalls).length >= 8,
    ],
    prepareStep: ({ stepNumber }) => (stepNumber < maxSteps ? {} : { toolChoice: "none" }),
    output: Output.object({
      schema: z.object({ sql: z.string().describe("One SQL query for SQLite.") }),
    }),
  });
}
