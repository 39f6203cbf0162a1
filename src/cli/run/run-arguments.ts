import type { ParsedArgs } from "citty";
import {
  artifactProgramArguments,
  lmArguments,
  rehearsalArguments,
  trainsetArgument,
} from "../arguments/arguments.ts";

const own = {
  subject: {
    type: "positional",
    description: "An artifact, or a file that default-exports a study",
    valueHint: "ARTIFACT.json|STUDY",
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
} as const;

type RunArguments = typeof own & {
  readonly trainset: typeof trainsetArgument;
} & typeof rehearsalArguments &
  typeof lmArguments;

/** Arguments of `espalier run`. */
export const runArguments: RunArguments = {
  ...own,
  trainset: trainsetArgument,
  ...rehearsalArguments,
  ...lmArguments,
};

/** The parsed arguments. */
export type RunGiven = Readonly<ParsedArgs<RunArguments>>;
