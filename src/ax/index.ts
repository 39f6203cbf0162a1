/**
 * The only folder that imports ax: its signature and prompt template, and its clients for hosted
 * language models. Its exports show no type or class of ax, since users of the
 * package have neither. Corrects ax's faults (`null` enums, rewritten instructions, dropped empty
 * inputs), so that no other code needs to know them.
 */
export type { HostedOptions, HostedService } from "./hosted-lm.ts";
export { hosted } from "./hosted-lm.ts";
export type { PromptDemonstration, PromptTemplate } from "./prompt-template.ts";
export { promptTemplate } from "./prompt-template.ts";
