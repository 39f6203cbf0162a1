/**
 * The composition root's one word: a study names a program, its data and its objective. Knows what
 * these are, and nothing of where they come from or what is done with them.
 */
export type { Study } from "./study.ts";
export { isStudy, study } from "./study.ts";
