/**
 * The unit of composition: a study names a program, its data and its objective. Knows their types,
 * and nothing of their origin or use.
 */
export type { Study } from "./study.ts";
export { isStudy, study } from "./study.ts";
