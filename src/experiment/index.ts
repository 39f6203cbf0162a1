/**
 * A table of experiments: which studies run under which settings, and what is known of them
 * elsewhere. Computes and writes the table from finished evaluations: intervals, paired
 * differences, breakdowns, costs, mocks. Runs nothing and knows no file, no server and no
 * terminal. What declares an experiment is behind the second door, `files.ts`.
 */
export type { RowCosts } from "./row-costs.ts";
export { sumOfCosts } from "./row-costs.ts";
export type { RowOutcome } from "./row-outcome.ts";
export type { BreakdownTable, ExperimentTable, TableFigure, TableRow } from "./experiment-table.ts";
export { checkFigureNames, experimentTable, withFigures } from "./experiment-table.ts";
export { publishedOn } from "./published-figure.ts";
export { tableMarkdown } from "./table-markdown.ts";
