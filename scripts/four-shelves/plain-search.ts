import { DatabaseSync } from "node:sqlite";
import type { PassageRow } from "./read-shelves.ts";
import { wordsOf } from "./text-problems.ts";

export type PlainSearch = (query: string) => { readonly id: string; readonly score: number }[];

/** Plain BM25 over titles and texts: the ten best passages for any of the query's words. */
export function plainSearch(passages: readonly PassageRow[]): PlainSearch {
  const database = new DatabaseSync(":memory:");
  database.exec(
    "CREATE VIRTUAL TABLE passages USING fts5(id UNINDEXED, title, text, tokenize = 'porter unicode61')",
  );
  const insert = database.prepare("INSERT INTO passages VALUES (?, ?, ?)");
  for (const { id, title, text } of passages) insert.run(id, title, text);
  const select = database.prepare(
    "SELECT id, -bm25(passages) AS score FROM passages WHERE passages MATCH ? ORDER BY bm25(passages), id LIMIT 10",
  );
  return (query) => {
    const terms = [...new Set(wordsOf(query))].map((word) => `"${word}"`).join(" OR ");
    return terms === ""
      ? []
      : select.all(terms).map((row) => ({ id: String(row["id"]), score: Number(row["score"]) }));
  };
}
