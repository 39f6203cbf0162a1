import type { UserPreference, Verdict } from "../../programs/ails-ntua/index.ts";

export type Scores = Readonly<Record<string, number>>;
/** A judge's decision and its confidence. */
export type Vote = readonly [Verdict, number];

/** The contents of `worked_examples.json`, computed independently of this code, in Python. */
export interface WorkedExamples {
  readonly rrf_k60: { readonly lists: readonly (readonly string[])[]; readonly scores: Scores };
  readonly nested_rrf_fiqa: Readonly<
    Record<
      "anchor_keyword" | "cot" | "hyde" | "minimal" | "corpus_specific" | "weak" | "final",
      readonly string[]
    >
  > &
    Readonly<Record<"weak_scores" | "final_scores", Scores>>;
  readonly eq1_hybrid_rerank: {
    readonly retriever_rank: readonly number[];
    readonly reranker_rank: readonly number[];
    readonly alpha: number;
    readonly k: number;
    readonly scores: readonly number[];
  };
  readonly phi: readonly (readonly [number, number])[];
  readonly extractiveness4: readonly {
    readonly answer: string;
    readonly spans: readonly string[];
    readonly r4: number;
    readonly phi: number;
  }[];
  readonly selection: readonly {
    readonly techA: number;
    readonly techB: number;
    readonly user: UserPreference | null;
    readonly r4A: number;
    readonly r4B: number;
    readonly forbA: boolean;
    readonly forbB: boolean;
    readonly scoreA: number;
    readonly scoreB: number;
    readonly choice: string;
  }[];
  readonly arbiter: readonly {
    readonly j1: Vote;
    readonly j2: Vote;
    readonly j3: Vote;
    readonly result: readonly [Verdict, number, string];
  }[];
}
