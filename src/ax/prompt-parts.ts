import type { Field } from "../signature/index.ts";

/** What ax needs of a step: its current texts, not the declared ones. */
export interface PromptParts {
  readonly instruction: string;
  readonly input: readonly Field[];
  readonly output: readonly Field[];
}
