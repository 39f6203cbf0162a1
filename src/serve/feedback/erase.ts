import type { DatabaseSync } from "node:sqlite";
import { writeAnew } from "../write-anew.ts";

/** Whose data goes: one answer's, or all of a user's. */
export type ErasedSubject = { readonly id: string } | { readonly user: string };

export interface Erased {
  /** Answers of the subject. */
  readonly completions: number;
  /** Later answers whose conversation quotes one of them. */
  readonly quoting: number;
}

/**
 * Erases answers with their conversations, traces and ratings, and those that were given later in the
 * same conversations, since each holds all that was said before it. The file is then written anew.
 */
export function erase(database: DatabaseSync, subject: ErasedSubject): Erased {
  const [column, value] = "id" in subject ? ["id", subject.id] : ["user", subject.user];
  database.exec("BEGIN IMMEDIATE");
  try {
    const meant = database
      .prepare(`SELECT number, question, answer FROM completions WHERE ${column} = ?`)
      .all(value);
    const quotes = database.prepare("SELECT number FROM completions WHERE instr(history, ?) > 0");
    const numbers = new Set(meant.map((row) => Number(row["number"])));
    const quoting = new Set(
      meant.flatMap((row) => quotes.all(exchange(row)).map((quoted) => Number(quoted["number"]))),
    ).difference(numbers);
    const remove = database.prepare("DELETE FROM completions WHERE number = ?");
    for (const number of [...numbers, ...quoting]) remove.run(number);
    database.exec("COMMIT");
    // Also where nothing is left to erase: an earlier try may have come no further.
    writeAnew(database, {
      code: "feedback-unusable",
      done: "The answers are erased and overwritten",
    });
    return { completions: numbers.size, quoting: quoting.size };
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** A question and its answer as they stand in a later history. */
function exchange(row: Readonly<Record<string, unknown>>): string {
  const turns = [
    { speaker: "user", text: row["question"] },
    { speaker: "assistant", text: row["answer"] },
  ];
  return JSON.stringify(turns).slice(1, -1);
}
