/** Version of the prompt layout; an artifact keeps the one it was compiled with. */
export type PromptLayout = 1 | 2 | 3;
