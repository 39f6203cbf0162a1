/**
 * The only folder that imports ax: its signature and prompt template, and language models on either
 * side of its service interface. What ax gets wrong (`null` enums, rewritten instructions, dropped
 * empty inputs) is put right here, so that nobody else has to know.
 */
export type { AxGenerator, AxGeneratorOptions } from "./ax-generator.ts";
export { axGenerator } from "./ax-generator.ts";
export type { AxServiceOptions } from "./ax-service.ts";
export { axService } from "./ax-service.ts";
export type { PromptParts } from "./ax-signature.ts";
export { toAxSignature } from "./ax-signature.ts";
export type { HostedOptions } from "./hosted-lm.ts";
export { hosted } from "./hosted-lm.ts";
export type { PromptDemonstration, PromptTemplate } from "./prompt-template.ts";
export { promptTemplate } from "./prompt-template.ts";
