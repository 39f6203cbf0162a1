import { ndcgAt, recallAt } from "espalier/metric";
import type { ConformanceCheck } from "./check.ts";
import { agreeing, isNear } from "./check.ts";

type Figures = Readonly<Record<string, number>>;

interface RecordedQuery {
  readonly run: readonly (readonly [string, number])[];
  readonly qrels: Figures;
  readonly expected: Figures;
}

interface WorkedRetrieval {
  readonly retrieval: {
    readonly qrels: Readonly<Record<string, Figures>>;
    readonly run: Readonly<Record<string, Figures>>;
    readonly expected: Readonly<Record<string, Figures>>;
  };
}

export const retrievalChecks: readonly ConformanceCheck[] = [
  {
    name: "retrieval fixtures: pytrec_eval, 8 values a query",
    tolerance: "half a unit of the 10 decimals recorded",
    files: ["mtrag-eval/retrieval_fixtures.jsonl"],
    run: async (data) =>
      agreeing(
        await data.lines<RecordedQuery>("mtrag-eval/retrieval_fixtures.jsonl"),
        ({ run, qrels, expected }) => agrees(run, qrels, expected, 0.5e-10 + 1e-15),
      ),
  },
  {
    name: "retrieval: worked examples of ties, empty runs and no qrels",
    tolerance: "1e-12",
    files: ["mtrag-eval/worked_examples.json"],
    run: async (data) => {
      const { retrieval } = await data.json<WorkedRetrieval>("mtrag-eval/worked_examples.json");
      return agreeing(Object.entries(retrieval.expected), ([query, expected]) => {
        const run = Object.entries(retrieval.run[query] ?? {});
        return agrees(run, retrieval.qrels[query] ?? {}, expected, 1e-12);
      });
    },
  },
];

function agrees(
  run: RecordedQuery["run"],
  qrels: Figures,
  expected: Figures,
  tolerance: number,
): boolean {
  const ranked = run.map(([id, score]) => ({ id, score }));
  const figures = Object.entries(expected);
  return (
    figures.length === 8 &&
    figures.every(([name, value]) => {
      const k = Number(name.slice(name.lastIndexOf("_") + 1));
      const formula = name.startsWith("recall") ? recallAt(k) : ndcgAt(k);
      return isNear(formula(ranked, qrels), value, tolerance);
    })
  );
}
