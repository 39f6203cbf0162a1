/**
 * The second door of this folder, to what reports an evaluation whose result is on file, and to the
 * forecast of how long one takes. Loads nothing that evaluates.
 */
export { failureTable, formatFailureTable } from "./failure-table.ts";
export type { Forecast } from "./forecast.ts";
export { forecast } from "./forecast.ts";
