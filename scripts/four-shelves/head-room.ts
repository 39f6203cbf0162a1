import { DatabaseSync } from "node:sqlite";
import { recallAt } from "espalier/metric";
import type { ShelfRows } from "./read-shelves.ts";
import { wordsOf } from "./text-problems.ts";

/** Recall@10 of plain BM25 over all passages, for the question as typed and made standalone. */
export interface HeadRoom {
  readonly turns: number;
  readonly lastTurn: number;
  readonly standalone: number;
}

/** Measures how much of what a good query finds is missed by the question as it was typed. */
export function headRoom(rows: readonly ShelfRows[]): HeadRoom {
  const database = new DatabaseSync(":memory:");
  database.exec(
    "CREATE VIRTUAL TABLE passages USING fts5(id UNINDEXED, title, text, tokenize = 'porter unicode61')",
  );
  const insert = database.prepare("INSERT INTO passages VALUES (?, ?, ?)");
  for (const { passages } of rows)
    for (const { id, title, text } of passages) insert.run(id, title, text);
  const select = database.prepare(
    "SELECT id, -bm25(passages) AS score FROM passages WHERE passages MATCH ? ORDER BY bm25(passages), id LIMIT 10",
  );
  const recall = recallAt(10);
  const search = (query: string) => {
    const terms = [...new Set(wordsOf(query))].map((word) => `"${word}"`).join(" OR ");
    return terms === ""
      ? []
      : select.all(terms).map((row) => ({ id: String(row["id"]), score: Number(row["score"]) }));
  };
  const judged = rows
    .flatMap(({ conversations }) => conversations.flatMap(({ turns }) => turns))
    .filter(({ gold }) => gold.length > 0);
  const mean = (query: (turn: (typeof judged)[number]) => string): number =>
    judged.reduce((sum, turn) => {
      const relevant = Object.fromEntries(turn.gold.map((id) => [id, 1]));
      return sum + recall(search(query(turn)), relevant);
    }, 0) / judged.length;
  return {
    turns: judged.length,
    lastTurn: mean(({ question }) => question),
    standalone: mean(({ standalone }) => standalone),
  };
}
