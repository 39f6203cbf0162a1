import { ndcgAt, recallAt } from "espalier/metric";
import type { RelevanceGrades } from "espalier/trainset";
import type { Wording } from "../../../optimizers/support/recorded-wordings.ts";
import { fusedInOneLevel } from "../../../programs/ails-ntua/retrieval/index.ts";
import type { Collection, Ranking, ReplayedTurn } from "./rewrites-on-mtrag.ts";
import { collections } from "./rewrites-on-mtrag.ts";

export interface Figures {
  readonly recall_5: number;
  readonly ndcg_cut_5: number;
}

/** A wording, or several fused with equal weights. */
export type Row = readonly Wording[];

/**
 * Figures of an independent BM25 (k1 1.2, b .75, English stop list, s-stemmer) over the same pool,
 * for all 777 turns and, where recorded, by collection.
 */
export const independent: readonly {
  readonly name: string;
  readonly row: Row;
  readonly all: Figures;
  readonly byCollection?: Readonly<Partial<Record<Collection, Figures>>>;
}[] = [
  {
    name: "last turn",
    row: ["lastturn"],
    all: { recall_5: 0.24, ndcg_cut_5: 0.213 },
    byCollection: {
      clapnq: { recall_5: 0.205, ndcg_cut_5: 0.187 },
      cloud: { recall_5: 0.212, ndcg_cut_5: 0.19 },
      fiqa: { recall_5: 0.129, ndcg_cut_5: 0.108 },
      govt: { recall_5: 0.403, ndcg_cut_5: 0.354 },
    },
  },
  {
    name: "human rewrite",
    row: ["human"],
    all: { recall_5: 0.285, ndcg_cut_5: 0.245 },
    byCollection: {
      clapnq: { recall_5: 0.254, ndcg_cut_5: 0.235 },
      cloud: { recall_5: 0.236, ndcg_cut_5: 0.207 },
      fiqa: { recall_5: 0.171, ndcg_cut_5: 0.138 },
      govt: { recall_5: 0.464, ndcg_cut_5: 0.385 },
    },
  },
  { name: "Mixtral, full history", row: ["mixtral"], all: { recall_5: 0.272, ndcg_cut_5: 0.241 } },
  { name: "Sonnet 4, full history", row: ["sonnet4"], all: { recall_5: 0.288, ndcg_cut_5: 0.251 } },
  { name: "aggressive", row: ["aggressive"], all: { recall_5: 0.315, ndcg_cut_5: 0.271 } },
  { name: "informative", row: ["informative"], all: { recall_5: 0.381, ndcg_cut_5: 0.34 } },
  { name: "rewrite, then edit", row: ["expanded"], all: { recall_5: 0.382, ndcg_cut_5: 0.338 } },
  {
    name: "RRF of human, Mixtral, Sonnet 4",
    row: ["human", "mixtral", "sonnet4"],
    all: { recall_5: 0.312, ndcg_cut_5: 0.272 },
  },
];

/** The independent figures of a fusion of five wordings; which five was not recorded. */
export const fiveFused: Figures = { recall_5: 0.326, ndcg_cut_5: 0.291 };

/** All fusions of a given number of wordings. */
export function combinations(wordings: readonly Wording[], count: number): readonly Row[] {
  if (count === 0) return [[]];
  return wordings.flatMap((first, index) =>
    combinations(wordings.slice(index + 1), count - 1).map((others) => [first, ...others]),
  );
}

export function figuresOf(turns: readonly ReplayedTurn[], row: Row): Figures {
  const ranked = turns.map(({ example, rankings }) => ({
    ranking: fusedInOneLevel(row.map((wording) => rankings[wording])),
    relevant: example.labels.relevant,
  }));
  const mean = (score: (ranking: Ranking, relevant: RelevanceGrades) => number): number =>
    ranked.reduce((sum, { ranking, relevant }) => sum + score(ranking, relevant), 0) /
    ranked.length;
  return { recall_5: mean(recallAt(5)), ndcg_cut_5: mean(ndcgAt(5)) };
}

export function figuresByCollection(
  turns: readonly ReplayedTurn[],
  row: Row,
): Readonly<Record<Collection, Figures>> {
  return Object.fromEntries(
    collections.map((name) => [
      name,
      figuresOf(
        turns.filter(({ example }) => example.input.corpus === name),
        row,
      ),
    ]),
  ) as Record<Collection, Figures>;
}

export function distance(one: Figures, other: Figures): number {
  return Math.max(
    Math.abs(one.recall_5 - other.recall_5),
    Math.abs(one.ndcg_cut_5 - other.ndcg_cut_5),
  );
}

/** Two rows whose order by recall@5 differs from the independent index's. */
export interface SwappedPair {
  readonly one: string;
  readonly other: string;
  /** Their distance in the independent index. */
  readonly apart: number;
}

export function swappedPairs(
  rows: readonly {
    readonly name: string;
    readonly figures: Figures;
    readonly independent: Figures;
  }[],
): readonly SwappedPair[] {
  return rows.flatMap((one, index) =>
    rows.slice(index + 1).flatMap((other) => {
      const ours = one.figures.recall_5 - other.figures.recall_5;
      const theirs = one.independent.recall_5 - other.independent.recall_5;
      if (ours * theirs >= 0) return [];
      return [{ one: one.name, other: other.name, apart: Math.abs(theirs) }];
    }),
  );
}
