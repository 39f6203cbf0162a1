import { metric, scored } from "espalier/metric";
import { z } from "zod";
import type { Database, QueryResult } from "./database.ts";
import { writeSql } from "./text-to-sql.ts";

export const labels = { sql: z.string().describe("A query that is right.") };

/** 1 where the query gives the rows that the reference gives; their order counts where it sorts. */
export const executionAccuracy = (database: Database) =>
  metric({
    name: "execution-accuracy",
    version: "1",
    output: writeSql.output,
    labels,
    score: async ({ output, example }) => {
      const reference = example.labels.sql;
      const wanted = await database.query(reference);
      if ("error" in wanted) throw new Error(`The reference fails: ${reference}: ${wanted.error}`);
      const found = await database.query(output.sql);
      const runs = "error" in found ? 0 : 1;
      const isSorted = /\border by\b/i.test(reference);
      const isRight = plain(found, isSorted) === plain(wanted, isSorted);
      return scored(isRight ? 1 : 0, feedback(found, wanted, isRight), undefined, { runs });
    },
  });

function feedback(found: QueryResult, wanted: QueryResult, isRight: boolean): string {
  if (isRight) return "The rows are right.";
  const expected = `Expected the rows ${shown(wanted)}.`;
  return "error" in found
    ? `SQLite refuses the query: ${found.error}. ${expected}`
    : `It gives the rows ${shown(found)}. ${expected}`;
}

function shown(result: QueryResult): string {
  return "error" in result ? result.error : JSON.stringify(result.rows.slice(0, 5));
}

/** Numbers count as equal where they agree to six digits. */
function plain(result: QueryResult, isSorted: boolean): string {
  if ("error" in result) return "error";
  const rows = result.rows.map((row) =>
    JSON.stringify(row.map((cell) => (typeof cell === "number" ? cell.toPrecision(6) : cell))),
  );
  return JSON.stringify(isSorted ? rows : rows.toSorted());
}
