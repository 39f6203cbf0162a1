import type { ParsedArgs } from "citty";
import {
  artifactProgramArguments,
  lmArguments,
  rehearsalArguments,
  trainsetArgument,
} from "../arguments/arguments.ts";

const subject = {
  subject: {
    type: "positional",
    description: "An artifact, or a file that default-exports a study or a program",
    valueHint: "ARTIFACT.json|STUDY|PROGRAM",
    required: true,
  },
} as const;

const given = {
  input: {
    type: "string",
    description: "The program's input: JSON, @FILE, or - for standard input",
    valueHint: "JSON",
    required: true,
  },
  trace: { type: "boolean", description: "Print the trace as well", default: false },
} as const;

type RunArguments = typeof subject &
  typeof artifactProgramArguments &
  typeof given & {
    readonly trainset: typeof trainsetArgument;
  } & typeof rehearsalArguments &
  typeof lmArguments;

/** Arguments of `espalier run`. */
export const runArguments: RunArguments = {
  ...subject,
  ...artifactProgramArguments,
  ...given,
  trainset: trainsetArgument,
  ...rehearsalArguments,
  ...lmArguments,
};

/** The parsed arguments. */
export type RunGiven = Readonly<ParsedArgs<RunArguments>>;
