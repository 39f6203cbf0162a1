/**
 * New instruction text from feedback. Compares what was written with what was wanted, weighs what
 * the comparison can teach, and words it with the words of the prompt; it invents nothing. Feedback
 * that belongs to another case, or that is empty, teaches nothing.
 */
export type { ReflectionPrompt } from "./find-instruction.ts";
export { findInstruction } from "./find-instruction.ts";
export type { ReflectionArguments } from "./reflect.ts";
export { reflect } from "./reflect.ts";
