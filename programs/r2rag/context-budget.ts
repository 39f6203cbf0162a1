import { EspalierError } from "espalier";

/** Tokens of the model's context, and how many of them are reserved. */
export interface ContextOptions {
  /** For prompt and reply together: the authors' reduced context. @default 25_000 */
  readonly contextTokens?: number;
  /** For the reply, whose token limit should be the same. @default 4_096 */
  readonly answerTokens?: number;
  /** For instruction and question. @default 1_024 */
  readonly reservedTokens?: number;
}

export interface ContextBudget {
  readonly contextTokens: number;
  /** For the documents of the answer: 19,880 with the authors' numbers. */
  readonly documentTokens: number;
  /**
   * For documents beside a prompt of that many tokens; the rest may be small, but is never zero.
   */
  beside(promptTokens: number): number;
}

/** @throws EspalierError `option-invalid` if nothing is left for documents */
export function contextBudget({
  contextTokens = 25_000,
  answerTokens = 4_096,
  reservedTokens = 1_024,
}: ContextOptions): ContextBudget {
  const documentTokens = contextTokens - answerTokens - reservedTokens;
  const given = [contextTokens, answerTokens, reservedTokens];
  if (documentTokens < minTokens || !given.every((tokens) => Number.isInteger(tokens))) {
    throw new EspalierError({
      code: "option-invalid",
      problem: "The context leaves no room for documents",
      expected: `whole numbers, with \`contextTokens\` at least ${minTokens} above the sum of \`answerTokens\` and \`reservedTokens\``,
      got: given.join(", "),
    });
  }
  return {
    contextTokens,
    documentTokens,
    beside: (promptTokens) => Math.max(minTokens, documentTokens - promptTokens),
  };
}

const minTokens = 200;
