import type { Passage, Turn } from "espalier";
import { readJsonl } from "espalier/trainset";
import { z } from "zod";
import { taskId, turnOf } from "./task-id.ts";

export interface RecordedResponse {
  readonly taskId: string;
  readonly conversationId: string;
  /** Counted from 1. */
  readonly turn: number;
  /** Name of the collection's index, such as `mt-rag-clapnq-elser-512-100-20240503`. */
  readonly collection: string;
  readonly question: string;
  /** Turns before the question, oldest first. */
  readonly history: readonly Turn[];
  readonly contexts: readonly Passage[];
  /** The human's answer. */
  readonly reference: string;
  /** The model's answers; exactly one in every known file. */
  readonly responses: readonly string[];
  readonly answerability: readonly string[];
  readonly questionTypes: readonly string[];
  /** How the turn relates to the previous one, for example `Follow-up`; empty for first turns. */
  readonly multiTurn: readonly string[];
}

const words = z
  .array(z.string())
  .nullish()
  .transform((given) => given ?? []);
const turn = z.object({ speaker: z.enum(["user", "agent"]), text: z.string() });
const context = z.looseObject({
  document_id: z.string(),
  title: z.string().optional(),
  text: z.string(),
});
const responseRow = z.looseObject({
  task_id: taskId,
  conversation_id: z.string(),
  collection: z.string(),
  input: z.array(turn).min(1),
  targets: z.array(z.object({ text: z.string() })).min(1),
  contexts: z.array(context),
  predictions: z.array(z.object({ text: z.string() })).min(1),
  answerability: words,
  "Question Type": words,
  "Multi-Turn": words,
});

/**
 * Responses in the layout of IBM's evaluation scripts, as `ibm_responses-10.jsonl`
 * (IBM/mt-rag-benchmark @ cc5b1d4, Apache-2.0). The rows went through a data frame, which writes
 * empty cells as a bare NaN: it is read as a missing value.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with the line
 */
export async function recordedResponses(path: string): Promise<readonly RecordedResponse[]> {
  const rows = await readJsonl(path, responseRow, { bareNonFinite: "null" });
  return rows.map((row) => {
    const turns = row.input.map(({ speaker, text }) => ({
      speaker: speaker === "agent" ? ("assistant" as const) : ("user" as const),
      text,
    }));
    return {
      taskId: row.task_id,
      conversationId: row.conversation_id,
      turn: turnOf(row.task_id),
      collection: row.collection,
      question: turns.at(-1)?.text ?? "",
      history: turns.slice(0, -1),
      contexts: row.contexts.map(({ document_id, title, text }) => ({
        id: document_id,
        ...(title === undefined ? {} : { title }),
        text,
      })),
      reference: row.targets[0]?.text ?? "",
      responses: row.predictions.map(({ text }) => text),
      answerability: row.answerability,
      questionTypes: row["Question Type"],
      multiTurn: row["Multi-Turn"],
    };
  });
}
