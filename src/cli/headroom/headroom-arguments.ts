import type { ParsedArgs } from "citty";
import { judgeArguments, lmArguments, studyArguments } from "../arguments/arguments.ts";

const calls = {
  type: "string",
  description: "Maximum program runs, from 60 to 600; a run of one step is one call",
  valueHint: "N",
  default: "120",
} as const;

/** Arguments of `espalier headroom`. */
export const headroomArguments: typeof studyArguments & {
  readonly calls: typeof calls;
} & typeof lmArguments &
  typeof judgeArguments = { ...studyArguments, calls, ...lmArguments, ...judgeArguments };

/** The parsed arguments. */
export type HeadroomGiven = Readonly<ParsedArgs<typeof headroomArguments>>;
