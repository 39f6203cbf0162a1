import type { KeptCompletion, Rater, Rating } from "espalier/serve";
import { feedbackTables, openDatabase } from "../../src/serve/feedback/feedback-tables.ts";

/** Writes to a feedback file, as a server's thread does. */
export function feedbackByHand(path: string) {
  const database = openDatabase(path, true);
  const tables = feedbackTables(database, []);
  const when = { atMs: Date.now(), oldestMs: 0 };
  return {
    keep: (completion: KeptCompletion): void => tables.keep(completion),
    rate: (id: string, rating: Rating, by: Rater = { apiKey: null, user: null }): boolean =>
      tables.rate(id, rating, when, by),
    [Symbol.dispose]: () => database.close(),
  };
}
