/** The models whose replies are recorded: names of `espalier models`, and their identities. */
export const models = {
  "smollm2-135m": "smollm2-135m-instruct-q4_1@b179c9523d0e",
  "qwen-coder-0.5b": "qwen2.5-coder-0.5b-instruct-q4_k_m@1d9614638d18",
} as const;
export type RecordedModel = keyof typeof models;
