import { signature, text } from "espalier";

/** An SQL query that answers a question over a database. */
export const askDatabase = signature({
  name: "ask-database",
  instruction: "Write the SQL query that answers the question.",
  input: { question: text("question", "The question about what the database holds.") },
  output: { sql: text("code", "One SQL query for SQLite.") },
});
