/**
 * Language models of the AI SDK's providers, and its tools for `agent()`. Knows the SDK's
 * interfaces by their shapes, and needs none of its packages. The wrappers around a model (cache,
 * retries, limit, ledger) are in `espalier/lm`.
 */
export type { AiSdkModel } from "./ai-sdk-model.ts";
export type { AiSdkTool } from "./ai-sdk-tools.ts";
export { aiSdkTools } from "./ai-sdk-tools.ts";
export type { FromAiSdkOptions } from "./from-ai-sdk.ts";
export { fromAiSdk } from "./from-ai-sdk.ts";
