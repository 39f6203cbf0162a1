import type { PromptLayout } from "../../contract/index.ts";

/** Every supported layout, so that an artifact renders the prompts it was compiled with. */
export const promptLayouts: readonly PromptLayout[] = Object.freeze([1, 2, 3]);

/** Increases whenever the same predictor would render different messages from the same inputs. */
export const promptLayout: PromptLayout = 3;
