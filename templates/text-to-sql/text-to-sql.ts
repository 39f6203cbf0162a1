import { int, predict, program, reason, signature, text } from "espalier";
import type { Database } from "./database.ts";

const question = text("question", "What is asked.");
const schema = text("schema", "The tables of the SQLite database.");

export const writeSql = signature({
  name: "write-sql",
  instruction: "Write one SQLite query whose rows answer the question.",
  input: { question, schema },
  output: { sql: text("sql", "The SQLite query.", { max: 500 }) },
});

const repairSql = signature({
  name: "repair-sql",
  instruction: "The query failed. Write one that answers the question and runs.",
  input: {
    question,
    schema,
    failed: text("sql", "The query that failed."),
    error: text("error", "What SQLite said of it."),
  },
  output: { sql: text("sql", "The SQLite query.", { max: 500 }) },
});

/** Writes a query, runs it, and has it repaired as often as `repairs` allows. */
export const textToSql = (database: Database) =>
  program({
    name: "text-to-sql",
    version: "1",
    input: { question },
    output: { sql: text("sql") },
    predictors: { write: reason(writeSql), repair: predict(repairSql) },
    parameters: { repairs: int({ default: 2, min: 0, max: 4 }) },
    forward: async ({ question }, call) => {
      const { schema } = database;
      let { sql } = await call.predictors.write({ question, schema });
      for (let attempt = 1; attempt <= call.parameters.repairs; attempt++) {
        const result = await database.query(sql);
        if ("rows" in result) break;
        const { repair } = call.at("attempt", attempt).predictors;
        ({ sql } = await repair({ question, schema, failed: sql, error: result.error }));
      }
      return { sql };
    },
  });
