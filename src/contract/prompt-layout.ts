/** Number of a way to lay out prompts; an artifact keeps the one it was compiled with. */
export type PromptLayout = 1 | 2;
