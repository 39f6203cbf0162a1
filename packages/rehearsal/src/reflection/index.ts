/**
 * Writes new instructions from feedback. Compares outputs with what was wanted, weighs the lessons
 * that the comparison supports, and phrases them in words of the prompt; it invents nothing.
 * Feedback that is empty or belongs to another case teaches nothing.
 */
export type { ReflectionPrompt } from "./find-instruction.ts";
export { findInstruction } from "./find-instruction.ts";
export type { ReflectionArguments } from "./reflect.ts";
export { reflect } from "./reflect.ts";
