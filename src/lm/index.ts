export type { OpenAiCompatibleOptions } from "./openai-compatible.ts";
export { openAiCompatible } from "./openai-compatible.ts";
export { defaultSampling } from "./sampling.ts";
export { thinkingTemplates } from "./thinking-template.ts";
