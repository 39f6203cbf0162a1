import type { ParsedArgs } from "citty";
import {
  artifactProgramArguments,
  jsonArgument,
  lmArguments,
  rehearsalArguments,
  trainsetArgument,
} from "../arguments/arguments.ts";

/** Arguments of `espalier run`. */
export const runArguments = {
  subject: {
    type: "positional",
    description: "An artifact, or a file that default-exports a study or a program",
    valueHint: "ARTIFACT.json|STUDY|PROGRAM",
    required: true,
  },
  ...artifactProgramArguments,
  input: {
    type: "string",
    description: "The program's input: JSON, @FILE, or - for standard input",
    valueHint: "JSON",
    required: true,
  },
  trace: { type: "boolean", description: "Print the trace as well", default: false },
  trainset: trainsetArgument,
  ...rehearsalArguments,
  ...lmArguments,
  ...jsonArgument,
} as const;

/** The parsed arguments. */
export type RunGiven = Readonly<ParsedArgs<typeof runArguments>>;
