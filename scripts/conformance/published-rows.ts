import type { ReferenceData } from "./check.ts";

/** A response with its official metrics, as published by RaguTeam and TristanDao. */
export interface EvaluatedResponse {
  readonly prediction: string;
  readonly target: string;
  readonly metrics: {
    readonly Recall: readonly [number];
    readonly RougeL_stemFalse: readonly [number];
    readonly BertscoreR: readonly [number | null];
    /** Absent if there was no passage. */
    readonly BertKPrec?: readonly (number | null)[];
    readonly RB_agg: readonly [number];
    readonly RL_F?: readonly [number | null];
    readonly RB_llm?: readonly [number];
    readonly idk_eval?: readonly [1 | 0.5 | 0];
    readonly RB_agg_idk?: readonly [number];
    readonly RL_F_idk?: readonly [number | null];
    readonly RB_llm_idk?: readonly [number];
  };
}

export const evaluatedFiles = [
  "mtrag-eval/generation_metrics_ragu.jsonl",
  "mtrag-eval/generation_metrics_tristan.jsonl",
] as const;

export async function evaluatedResponses(
  data: ReferenceData,
): Promise<readonly EvaluatedResponse[]> {
  const files = evaluatedFiles.map((path) => data.lines<EvaluatedResponse>(path));
  return (await Promise.all(files)).flat();
}

/** IBM's published evaluation of one response; its `rb_agg` is conditioned. */
export interface SyntheticRow {
  readonly task_id: string;
  readonly model_id: string;
  readonly answerability: readonly [string];
  readonly response: string;
  readonly metrics: {
    readonly RougeL: number;
    readonly "Bert-Rec": number;
    readonly "Bert-KPrec": number;
    /** 1 if the response declined exactly when it should. */
    readonly conditional_idk: 1 | 0;
    readonly rb_agg: number;
  };
}

export const syntheticFile = "mtrag-eval/synthetic_evaluations.jsonl.gz";
export const syntheticTasksFile = "mtrag/synthetic_tasks.jsonl.gz";

export interface SyntheticTask {
  readonly task_id: string;
  readonly targets: readonly [{ readonly text: string }];
  readonly contexts: readonly { readonly text: string }[];
}

export interface ReferenceSubset {
  readonly tasks: readonly {
    readonly task_id: string;
    readonly Answerability: readonly [string];
  }[];
  readonly evaluations: readonly {
    readonly task_id: string;
    readonly annotations: Readonly<
      Record<string, Readonly<Record<string, { readonly value: number }>>>
    >;
  }[];
}

export const referenceSubsetFile = "mtrag-eval/reference_subset_with_human_evaluations.json";
