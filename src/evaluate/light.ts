/**
 * The second door of this folder, to what tells of an evaluation that is over, and of how long one will
 * take. Loads nothing that evaluates.
 */
export { failureTable, formatFailureTable } from "./failure-table.ts";
export { forecast } from "./forecast.ts";
