import { readJsonl } from "espalier/trainset";
import { z } from "zod";
import { taskId } from "./task-id.ts";

export interface EvaluatedResponse {
  readonly taskId: string;
  /** The model or run that answered, if the file names it. */
  readonly system?: string;
  readonly response: string;
  /** The answer it was compared with, if the file contains it. */
  readonly reference?: string;
  /** Ids of the passages it should be grounded in, if the file names them. */
  readonly contextIds?: readonly string[];
  /** As in the file, for example `["ANSWERABLE"]`; empty if it has no such field. */
  readonly answerability: readonly string[];
  /**
   * Recorded figures under the file's own names, such as `RL_F` or `rb_agg`. One number, or one per
   * passage for figures measured against each passage. Missing figures are left out.
   */
  readonly metrics: Readonly<Record<string, readonly number[]>>;
}

const figure = z.number().nullable();
const figures = z
  .union([figure.transform((one) => [one]), z.array(figure)])
  .transform((all) => all.filter((one) => one !== null));
const evaluatedRow = z
  .looseObject({
    task_id: taskId,
    system: z.string().optional(),
    model_id: z.string().optional(),
    response: z.string().optional(),
    prediction: z.string().optional(),
    target: z.string().optional(),
    context_ids: z.array(z.string()).optional(),
    answerability: z.array(z.string()).default([]),
    metrics: z.record(z.string(), figures),
  })
  .refine((row) => row.response !== undefined || row.prediction !== undefined, {
    message: "a text in `response` or `prediction`",
  });

/**
 * Responses with the figures of the official scripts: `generation_metrics_ragu.jsonl`
 * (RaguTeam/ragu_mtrag_semeval @ 4697c97, MIT; their BERTScore is not rescaled),
 * `generation_metrics_tristan.jsonl` and IBM's `synthetic_evaluations.jsonl.gz` (Apache-2.0). A
 * bare NaN counts as missing.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with the line
 */
export async function evaluatedResponses(path: string): Promise<readonly EvaluatedResponse[]> {
  const rows = await readJsonl(path, evaluatedRow, { bareNonFinite: "null" });
  return rows.map((row) => {
    const system = row.system ?? row.model_id;
    return {
      taskId: row.task_id,
      ...(system === undefined ? {} : { system }),
      response: row.response ?? row.prediction ?? "",
      ...(row.target === undefined ? {} : { reference: row.target }),
      ...(row.context_ids === undefined ? {} : { contextIds: row.context_ids }),
      answerability: row.answerability,
      metrics: Object.fromEntries(
        Object.entries(row.metrics).filter(([, numbers]) => numbers.length > 0),
      ),
    };
  });
}
