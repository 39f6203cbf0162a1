/**
 * The default of every run: looks at what may change in a program and at the budget, and takes the
 * search that fits. It searches nothing itself.
 */
export type { AutoSearchOptions } from "./auto-search.ts";
export { autoSearch } from "./auto-search.ts";
