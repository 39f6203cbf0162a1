/**
 * Language models of the AI SDK's providers. Knows the SDK's interface by its shape, and needs none
 * of its packages. The wrappers around a model (cache, retries, limit, ledger) are in
 * `espalier/lm`.
 */
export type { AiSdkModel } from "./ai-sdk-model.ts";
export type { FromAiSdkOptions } from "./from-ai-sdk.ts";
export { fromAiSdk } from "./from-ai-sdk.ts";
