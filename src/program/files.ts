/**
 * A second entry point of this folder, for readers of files that hold components. Loads no code
 * that makes or runs a program.
 */
export { componentSchema } from "./component-schema.ts";
export { predictorKinds } from "./predictor/predictor.ts";
