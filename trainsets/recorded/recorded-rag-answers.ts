import { readJsonl } from "espalier/trainset";
import { z } from "zod";
import { taskId } from "./task-id.ts";

export interface RecordedRagAnswer {
  readonly taskId: string;
  readonly collection: string;
  /**
   * The retriever's results, best first, by passage id. Scores are ELSER's: any positive number.
   */
  readonly ranking: readonly { readonly id: string; readonly score: number }[];
  readonly response: string;
}

const ragRow = z.looseObject({
  task_id: taskId,
  domain: z.string(),
  contexts: z.array(z.tuple([z.string(), z.number()])),
  prediction: z.string(),
});

/**
 * Task C of MTRAG with IBM's official ELSER top five and a model's answer to each task
 * (pashaAbri/mt-rag-benchmark @ 8bb7127, Apache-2.0), as
 * `mtrag_taskC_official_elser_top5_with_predictions.jsonl.gz`.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with the line
 */
export async function recordedRagAnswers(path: string): Promise<readonly RecordedRagAnswer[]> {
  const rows = await readJsonl(path, ragRow);
  return rows.map(({ task_id, domain, contexts, prediction }) => ({
    taskId: task_id,
    collection: domain,
    ranking: contexts.map(([id, score]) => ({ id, score })),
    response: prediction,
  }));
}
