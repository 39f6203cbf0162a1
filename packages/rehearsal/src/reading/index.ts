/**
 * Splits a request into instruction, inputs, outputs and demonstrations, and determines the role of
 * each field by shape, description and schema, so that a field's name does not matter. Does not
 * know how fields are filled later.
 */
export { imageTokens } from "./seen-image.ts";
export { propertiesOf } from "./read-outputs.ts";
export type { SolvedStep } from "./step-lines.ts";
export { readStepLines } from "./step-lines.ts";
export { jsonList, textsIn } from "./texts-in.ts";
export { textRoleOf } from "./text-role.ts";
export type { PastCall } from "./past-calls.ts";
export { readRequest } from "./read-request.ts";
export { inputRoleOf } from "./input-role.ts";
export type { Demonstration, InputField, InputRole, OutputField, Task, TextRole } from "./task.ts";
