/**
 * What instructions ask for. A lexicon of ordinary English groups phrases into concepts; clauses
 * are read with their negations; behaviours name the combinations of concepts that turn them on or
 * off. Knows no abilities: each ability defines the effect of its behaviours.
 */
export type { Behaviour, Cue } from "./behaviour.ts";
export { levelOf, stance } from "./behaviour.ts";
export type { Clause, ClauseReader } from "./clauses.ts";
export { clauseReader } from "./clauses.ts";
export type { Concept } from "./lexicon.ts";
export type { Steering } from "./steering.ts";
export { steer } from "./steering.ts";
export { wordLimits } from "./word-limits.ts";
