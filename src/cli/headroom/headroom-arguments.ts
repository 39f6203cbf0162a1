import type { ParsedArgs } from "citty";
import { judgeArguments, lmArguments, studyArguments } from "../arguments/arguments.ts";

const calls = {
  type: "string",
  description: "Maximum program runs, from 60 to 600; a run of a one-step program is one call",
  valueHint: "N",
  default: "120",
} as const;

/** Arguments of `espalier headroom`. */
export const headroomArguments = {
  ...studyArguments,
  calls,
  ...lmArguments,
  ...judgeArguments,
} as const;

/** The parsed arguments. */
export type HeadroomGiven = Readonly<ParsedArgs<typeof headroomArguments>>;
