/**
 * English text as the rules see it: words with stems and kinds, sentences, overlap of word sets.
 * Knows nothing about requests or instructions. Only the position and spelling of a content word
 * matter, not the word itself, so renaming a subject changes no decision.
 */
export { functionWords } from "./common-words.ts";
export { coverage, similarity } from "./overlap.ts";
export { remembering } from "./remembering.ts";
export { sentences } from "./sentences.ts";
export { stem, stemTable } from "./stem.ts";
export type { TextReader, Word } from "./text-reader.ts";
export { textReader } from "./text-reader.ts";
