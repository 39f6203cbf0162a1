import type { ParsedArgs } from "citty";
import { lmArguments, rehearsalArguments, trainsetArgument } from "../arguments/arguments.ts";

const own = {
  subject: {
    type: "positional",
    description: "An artifact, or a file that default-exports a study",
    valueHint: "ARTIFACT.json|STUDY",
    required: true,
  },
  study: {
    type: "string",
    description: "File of the artifact's program, if not the one that the artifact names",
    valueHint: "STUDY",
  },
  "trust-module": {
    type: "boolean",
    description: "Allow the artifact to name a program outside its project or in a package",
    default: false,
  },
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
