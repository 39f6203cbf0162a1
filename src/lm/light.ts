/** The second door of this folder, to what counts calls. Loads nothing that reaches a model. */
export { ledger } from "./ledger.ts";
