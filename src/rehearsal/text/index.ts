/**
 * English text as rules see it: words with their stems and kinds, sentences, overlap of word sets.
 * Knows nothing of requests or instructions. Nothing depends on which word a content word is, only
 * on where it stands and how it is written, so that renaming a subject changes no decision.
 */
export { functionWords } from "./common-words.ts";
export { coverage, similarity } from "./overlap.ts";
export { remembering } from "./remembering.ts";
export { sentences } from "./sentences.ts";
export { stem, stemTable } from "./stem.ts";
export type { TextReader, Word } from "./text-reader.ts";
export { textReader } from "./text-reader.ts";
