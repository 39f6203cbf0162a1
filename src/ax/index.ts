/**
 * The only folder that imports ax: its signature and prompt template, and language models on either
 * side of its service interface. What ax gets wrong (`null` enums, rewritten instructions, dropped
 * empty inputs) is put right here, so that nobody else has to know.
 */
export type { PromptParts } from "./ax-signature.ts";
export { toAxSignature } from "./ax-signature.ts";
export type { PromptDemonstration, PromptTemplate } from "./prompt-template.ts";
export { promptTemplate } from "./prompt-template.ts";
