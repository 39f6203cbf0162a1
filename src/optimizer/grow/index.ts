/**
 * The default of every run: looks at what may change in a program and at the budget, and takes the
 * search that fits. It searches nothing itself.
 */
export type { GrowOptions } from "./grow.ts";
export { grow } from "./grow.ts";
