import { experiment } from "espalier";
import shipped from "../../../../optimizers/experiments/r2rag.ts";

/** The shipped table without its searches, which take hundreds of runs. */
export default experiment({ ...shipped, rows: shipped.rows.filter(({ optimize }) => !optimize) });
