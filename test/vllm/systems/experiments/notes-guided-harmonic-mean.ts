import type { ExperimentRow, Study } from "espalier";
import { experiment, study } from "espalier";
import type { Optimizer } from "espalier/optimizer";
import { decisionFit } from "espalier/optimizer";
import type { Parts } from "espalier/servers";
import shipped from "../../../../optimizers/experiments/notes-guided-harmonic-mean.ts";
import { small } from "../support/small.ts";

/** By row; the others keep that of a small study. */
const searches: Readonly<Record<string, Optimizer>> = {
  "weights-fitted": decisionFit(),
};

/**
 * The shipped table without its grid, whose runs are many and alike, on a few turns with one round
 * of retrieval.
 */
export default experiment({
  ...shipped,
  rows: shipped.rows
    .filter(({ name }) => name !== "threshold-searched")
    .map(({ optimize, ...row }) => ({
      ...row,
      study: onFewTurns(row),
      ...(optimize !== undefined && { optimize: true }),
    })),
});

function onFewTurns({ name, study: made }: ExperimentRow): (parts: Parts) => Promise<Study> {
  return async (parts) => {
    const given = small(typeof made === "function" ? await made(parts) : made);
    const program = given.program.with([{ kind: "parameter", path: "hops", value: 1 }]);
    const optimizer = searches[name];
    return study({ ...given, program, ...(optimizer && { optimizer }) });
  };
}
