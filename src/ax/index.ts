/**
 * The only folder that imports ax: its signature and prompt template, and language models on either
 * side of its service interface. Nothing that leaves it shows a type or a class of ax, since a user of
 * the package has neither. What ax gets wrong (`null` enums, rewritten instructions, dropped
 * empty inputs) is put right here, so that nobody else has to know.
 */
export type { AxGenerator, AxGeneratorOptions } from "./ax-generator.ts";
export { axGenerator } from "./ax-generator.ts";
export type { ConfiguredGenerator } from "./configured-generator.ts";
export type { HostedOptions, HostedService } from "./hosted-lm.ts";
export { hosted } from "./hosted-lm.ts";
export type { PromptDemonstration, PromptTemplate } from "./prompt-template.ts";
export { promptTemplate } from "./prompt-template.ts";
