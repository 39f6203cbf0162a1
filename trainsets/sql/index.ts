/** Questions in plain words over a small database of our own writing, with the SQL that answers. */
export type { HarbourLabels } from "./harbour.ts";
export { harbourDatabase, harbourQuestions, harbourSchema } from "./harbour.ts";
