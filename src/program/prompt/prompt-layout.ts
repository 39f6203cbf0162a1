import type { PromptLayout } from "../../contract/index.ts";

/** Every layout that is still rendered, so that an artifact gives the prompts it was compiled with. */
export const promptLayouts: readonly PromptLayout[] = Object.freeze([1, 2]);

/** Changes whenever the same predictor would render other messages from the same inputs. */
export const promptLayout: PromptLayout = 2;
