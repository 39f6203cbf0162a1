import { experiment } from "espalier";
import shipped from "../../../../optimizers/experiments/ails-ntua-fusion.ts";

/** The shipped table without its search, which takes hundreds of runs. */
export default experiment({ ...shipped, rows: shipped.rows.filter(({ optimize }) => !optimize) });
