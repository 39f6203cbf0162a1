import type { PromptLayout } from "../contract/index.ts";
import type { Field } from "../signature/index.ts";

/** What ax needs to know of a step: its current texts, not those it was declared with. */
export interface PromptParts {
  readonly instruction: string;
  readonly input: readonly Field[];
  readonly output: readonly Field[];
}

/** And how its prompt is laid out. */
export interface LaidOutParts extends PromptParts {
  readonly layout: PromptLayout;
}
