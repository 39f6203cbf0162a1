/** Options that cap what a run spends; each replaces the study's own cap of that kind. */
export const budgetArguments = {
  budget: {
    type: "string",
    description:
      "Most metric calls, runs of the program, each judged: a number, or small, medium, large for 5, 15, 40 times val; without it the study's own cap",
    valueHint: "N",
  },
  "max-reflections": {
    type: "string",
    description: "Most texts asked of the reflection LM",
    valueHint: "N",
  },
  "max-lm-calls": { type: "string", description: "Most LM calls, of all roles", valueHint: "N" },
  "max-tokens": {
    type: "string",
    description: "Most prompt and completion tokens together",
    valueHint: "N",
  },
  "max-usd": {
    type: "string",
    description: "Most US dollars billed; needs --prices",
    valueHint: "USD",
  },
  "max-minutes": { type: "string", description: "Longest wall time, in minutes", valueHint: "N" },
  prices: {
    type: "string",
    description:
      'JSON file: {"student":{"promptUsdPerMillion":1,"completionUsdPerMillion":4},"reflection":{...}}',
    valueHint: "FILE",
  },
} as const;
