/** Questions in plain words over a small database of our own writing, with the SQL that answers. */
export { harbourDatabase, harbourQuestions, harbourSchema } from "./harbour.ts";
