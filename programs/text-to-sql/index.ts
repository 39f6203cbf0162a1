export type { Database } from "./text-to-sql.ts";
export { textToSql } from "./text-to-sql.ts";
export { executionAccuracy } from "./execution-accuracy.ts";
