import type { ParsedArgs } from "citty";

export const initArguments = {
  folder: {
    type: "positional",
    description: "Project folder, created if it does not exist; defaults to the working folder",
    valueHint: "FOLDER",
    required: false,
  },
  template: {
    type: "string",
    description: "What to start from: extractor, text-to-sql or rag; defaults to extractor",
    valueHint: "NAME",
  },
  yes: { type: "boolean", description: "Ask no questions", default: false },
} as const;

export type InitGiven = ParsedArgs<typeof initArguments>;
