import type { Turn } from "../../contract/index.ts";
import { EspalierError } from "../../errors/index.ts";
import type { Shape } from "../../internal/index.ts";
import {
  at,
  excerpt,
  jsonOrUndefined,
  listOf,
  objectOf,
  oneOf,
  plainObject,
  text,
} from "../../internal/index.ts";
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
    history: turnsIn(row["history"]),
  };
}

const historyShape = listOf(objectOf({ speaker: oneOf("user", "assistant"), text }));
const traceShape = objectOf({ input: plainObject });

/** @throws EspalierError `feedback-unusable` for a row that no server writes */
function checked(row: Readonly<Record<string, unknown>>, column: string, shape: Shape): unknown {
  const value = jsonOrUndefined(String(row[column]));
  const problem = shape(value);
  if (problem === null) return value;
  const id = String(row["id"]);
  throw new EspalierError({
    code: "feedback-unusable",
    problem: "The feedback file has an answer that was not written by a server",
    where: `answer \`${excerpt(id, 80)}\``,
    got: at(column, problem),
    fix: "Erase it: `espalier feedback erase DB --id ID`.",
  });
}

/** The same for what must be done with every row: one that no server wrote is a text. */
export function turnsIn(history: unknown): readonly Turn[] {
  const value = jsonOrUndefined(String(history));
  if (historyShape(value) === null) return value as readonly Turn[];
  return [{ speaker: "user", text: String(history) }];
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
    history: checked(row, "history", historyShape) as readonly Turn[],
    answer: String(row["answer"]),
    trace: checked(row, "trace", traceShape) as RatedCompletion["trace"],
    rating: row["rating"] === "up" ? "up" : "down",
    comment: optional(row["comment"]),
    correction: optional(row["correction"]),
  };
}
