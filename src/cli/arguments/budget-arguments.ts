/** Options that cap what a run spends. Each replaces the study's cap of the same kind. */
export const budgetArguments = {
  budget: {
    type: "string",
    description:
      "Maximum metric calls (scored program runs): a number, or small, medium or large for 5, 15 or 40 times the size of val; defaults to the study's cap",
    valueHint: "N",
  },
  "max-reflections": {
    type: "string",
    description:
      "Maximum texts requested from the reflection LM; defaults to a quarter of --budget",
    valueHint: "N",
  },
  "max-lm-calls": {
    type: "string",
    description: "Maximum LM calls across all roles",
    valueHint: "N",
  },
  "max-tool-calls": {
    type: "string",
    description: "Maximum calls of agents' tools",
    valueHint: "N",
  },
  "max-tokens": {
    type: "string",
    description: "Maximum prompt and completion tokens in total",
    valueHint: "N",
  },
  "max-usd": {
    type: "string",
    description: "Maximum US dollars billed; requires --prices",
    valueHint: "USD",
  },
  "max-minutes": { type: "string", description: "Maximum wall time in minutes", valueHint: "N" },
  prices: {
    type: "string",
    description:
      'JSON file: { "student": { "promptUsdPerMillion": 1, "completionUsdPerMillion": 4 }, "reflection": { ... } }',
    valueHint: "FILE",
  },
} as const;
