import { readJsonl } from "espalier/trainset";
import { z } from "zod";
import { taskId, turnOf } from "./task-id.ts";

export interface RecordedRewrite {
  readonly taskId: string;
  /** Counted from 1; first turns were not rewritten. */
  readonly turn: number;
  readonly collection: string;
  /** Model and kind of prompt, such as `mixtral-8x7b/full_history`; one row per task. */
  readonly strategy: string;
  readonly model: string;
  /** The user's turn as typed. */
  readonly question: string;
  readonly rewrite: string;
  /** The same model's answer to the rewrite, if it was asked for one. */
  readonly response?: string;
  /** Number of history turns that the model saw, if recorded. */
  readonly historyTurns?: number;
}

const rewriteRow = z.looseObject({
  strategy: z.string(),
  model: z.string(),
  domain: z.string(),
  task_id: taskId,
  original_query: z.string(),
  rewritten_query: z.string().min(1),
  generated_response: z.string().optional(),
  num_history_turns: z.number().int().nonnegative().optional(),
});

/**
 * Queries of MTRAG rewritten by several models (pashaAbri/mt-rag-benchmark @ 8bb7127, Apache-2.0),
 * as `mtrag_query_rewrites.jsonl.gz`. The texts are the models' raw output: some have remarks or
 * fences around the query.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with the line
 */
export async function recordedRewrites(path: string): Promise<readonly RecordedRewrite[]> {
  const rows = await readJsonl(path, rewriteRow);
  return rows.map((row) => ({
    taskId: row.task_id,
    turn: turnOf(row.task_id),
    collection: row.domain,
    strategy: row.strategy,
    model: row.model,
    question: row.original_query,
    rewrite: row.rewritten_query,
    ...(row.generated_response === undefined ? {} : { response: row.generated_response }),
    ...(row.num_history_turns === undefined ? {} : { historyTurns: row.num_history_turns }),
  }));
}
