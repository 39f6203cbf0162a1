import {
  accuracyOf,
  compoundAccuracyOf,
  exactMatchOf,
  normalizeAnswer,
  rougeLOf,
  tokenF1Of,
  tokenOverlapOf,
} from "espalier/metric";
import type { ConformanceCheck } from "./check.ts";
import { agreeing, isNear } from "./check.ts";

interface Worked {
  readonly qa_em_f1_acc: readonly {
    readonly prediction: string;
    readonly golds: readonly string[];
    readonly em: number;
    readonly f1: number;
    readonly acc: number;
  }[];
  readonly compound_acc: readonly {
    readonly prediction: string;
    readonly gold: string;
    readonly acc: number;
  }[];
  readonly rouge_l: readonly {
    readonly prediction: string;
    readonly target: string;
    readonly rougeL: number;
  }[];
}

interface Official {
  readonly recall_kprec: readonly {
    readonly prediction: string;
    readonly target: string;
    readonly recall: number;
    readonly k_prec: number;
    readonly norm_p: string;
    readonly norm_t: string;
  }[];
}

interface RecordedAnswers {
  readonly predictions: Readonly<Record<string, string>>;
  readonly ground_truth: Readonly<Record<string, readonly string[]>>;
  readonly official_metrics: { readonly em: number };
}

const worked = "mtrag-eval/worked_examples.json";
const recorded = "recorded-llm/hotpotqa500_llama31-8b_ircot.json";

export const answerChecks: readonly ConformanceCheck[] = [
  {
    name: "answers: EM, F1 and Acc, Adaptive-RAG's code",
    tolerance: "half a unit of the 6 decimals recorded",
    files: [worked],
    run: async (data) =>
      agreeing(
        (await data.json<Worked>(worked)).qa_em_f1_acc,
        ({ prediction, golds, em, f1, acc }) =>
          exactMatchOf(prediction, golds) === em &&
          accuracyOf(prediction, golds) === acc &&
          isNear(tokenF1Of(prediction, golds), f1, 0.5e-6),
      ),
  },
  {
    name: "answers: compound Acc",
    tolerance: "none",
    files: [worked],
    run: async (data) =>
      agreeing(
        (await data.json<Worked>(worked)).compound_acc,
        ({ prediction, gold, acc }) => compoundAccuracyOf(prediction, [gold]) === acc,
      ),
  },
  {
    name: "answers: EM over 500 recorded HotpotQA predictions",
    tolerance: "none: .274 is a whole number of 500",
    files: [recorded],
    run: async (data) => {
      const { predictions, ground_truth, official_metrics } =
        await data.json<RecordedAnswers>(recorded);
      const rows = Object.entries(predictions);
      const right = rows.filter(([id, text]) => exactMatchOf(text, ground_truth[id] ?? []) === 1);
      const em = right.length / rows.length;
      const passed = em === official_metrics.em && rows.length === 500 ? 1 : 0;
      return { passed, total: 1, note: `${em} of ${rows.length} predictions` };
    },
  },
  {
    name: "answers: ROUGE-L, worked examples",
    tolerance: "1e-9",
    files: [worked],
    run: async (data) =>
      agreeing((await data.json<Worked>(worked)).rouge_l, ({ prediction, target, rougeL }) =>
        isNear(rougeLOf(prediction, target), rougeL),
      ),
  },
  {
    name: "answers: token recall and K-precision, official function",
    tolerance: "1e-9",
    files: ["mtrag-eval/official_examples.json"],
    run: async (data) =>
      agreeing(
        (await data.json<Official>("mtrag-eval/official_examples.json")).recall_kprec,
        ({ prediction, target, recall, k_prec: precision, norm_p, norm_t }) => {
          const overlap = tokenOverlapOf(prediction, target);
          return (
            isNear(overlap.recall, recall) &&
            isNear(overlap.precision, precision) &&
            normalizeAnswer(prediction) === norm_p &&
            normalizeAnswer(target) === norm_t
          );
        },
      ),
  },
];
