import type { Turn } from "../../contract/index.ts";
import type { RatedCompletion } from "./kept-completion.ts";

/** A page of rated answers after a number. */
export const ratedQuery = `
  SELECT completions.*, api_key, conversation, rating, comment, correction
  FROM completions JOIN ratings ON ratings.completion = number
  LEFT JOIN turns ON turns.completion = number
  WHERE number > ? ORDER BY number LIMIT 50
`;

/** The user, question and history of answers; the caller appends the condition. */
export const askerQuery = "SELECT user, question, history FROM completions";

/** The asker, as rollouts count it. */
export function askerIn(row: Readonly<Record<string, unknown>>): {
  readonly user?: string;
  readonly question: string;
  readonly history: readonly Turn[];
} {
  const { user } = row;
  return {
    ...(typeof user === "string" && { user }),
    question: String(row["question"]),
    history: JSON.parse(String(row["history"])) as readonly Turn[],
  };
}

export function ratedCompletion(row: Readonly<Record<string, unknown>>): RatedCompletion {
  const optional = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    id: String(row["id"]),
    at: new Date(Number(row["at_ms"])),
    user: optional(row["user"]),
    apiKey: optional(row["api_key"]),
    conversation: optional(row["conversation"]),
    model: String(row["model"]),
    version: String(row["version"]),
    question: String(row["question"]),
    history: JSON.parse(String(row["history"])) as readonly Turn[],
    answer: String(row["answer"]),
    trace: JSON.parse(String(row["trace"])) as RatedCompletion["trace"],
    rating: row["rating"] === "up" ? "up" : "down",
    comment: optional(row["comment"]),
    correction: optional(row["correction"]),
  };
}
