export { hanrag } from "./hanrag.ts";
export type { AblatedPart, EmptyEvidence, HanragOptions, Routing } from "./options.ts";
export type { SolvedStep } from "./thought.ts";
