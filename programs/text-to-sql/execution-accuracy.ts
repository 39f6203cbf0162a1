import type { Metric } from "espalier";
import { metric, scored } from "espalier/metric";
import type { Database } from "./text-to-sql.ts";

/**
 * Execution accuracy (Spider, arXiv 1809.08887): 1 if the query returns the rows of the right one,
 * in its order, and 0 otherwise.
 */
export function executionAccuracy(
  database: Database,
): Metric<{ readonly question: string }, { readonly sql: string }, { readonly sql: string }> {
  const rowsOf: Database["rowsOf"] = (sql) => database.rowsOf(sql);
  return metric({
    name: "execution_accuracy",
    version: "1",
    score: ({ example: { input, labels }, output }) => {
      const expected = JSON.stringify(rowsOf(labels.sql));
      const got = resultOf(output.sql, rowsOf);
      if (got === expected) return scored(1, "The query returns what it should.");
      const advice = [
        ...(/DISTINCT/.test(labels.sql) && !/DISTINCT/i.test(output.sql)
          ? ["You must count each of different things once."]
          : []),
        ...(withoutTexts(labels.sql) !== withoutTexts(output.sql)
          ? ["You must compare texts without regard to case."]
          : []),
      ];
      return scored(
        0,
        [
          ...advice,
          `Question: ${input.question}`,
          `Expected rows: ${expected}`,
          `Returned rows: ${got}`,
        ].join("\n"),
      );
    },
  });
}

function resultOf(sql: string, rowsOf: Database["rowsOf"]): string {
  try {
    return JSON.stringify(rowsOf(sql));
  } catch (error) {
    return `none: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The number of texts that a query compares with. */
function withoutTexts(sql: string): number {
  return sql.match(/'[^']*'/g)?.length ?? 0;
}
