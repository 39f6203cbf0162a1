import { experiment } from "espalier";
import shipped from "../../../../optimizers/experiments/notes-guided-recall.ts";
import study from "../studies/notes-guided.ts";

/** The shipped table, with reflection that the servers of these tests hold. */
export default experiment({ ...shipped, rows: shipped.rows.map((row) => ({ ...row, study })) });
