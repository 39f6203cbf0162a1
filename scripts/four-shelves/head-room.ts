import { recallAt } from "espalier/metric";
import { plainSearch } from "./plain-search.ts";
import type { ShelfRows } from "./read-shelves.ts";

/**
 * Recall@10 of plain BM25 over all passages, for the question as typed and for its standalone form.
 */
export interface HeadRoom {
  readonly turns: number;
  readonly lastTurn: number;
  readonly standalone: number;
}

/** Measures how much the question as typed misses compared with a good query. */
export function headRoom(rows: readonly ShelfRows[]): HeadRoom {
  const search = plainSearch(rows.flatMap(({ passages }) => passages));
  const recall = recallAt(10);
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
