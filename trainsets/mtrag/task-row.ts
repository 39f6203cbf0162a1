import type { Passage } from "espalier";
import { EspalierError } from "espalier";
import { z } from "zod";
import type { ConversationalLabels } from "../conversational.ts";

const words = z.array(z.string());
/** A task as both releases and the assembled subset write it. */
export const taskRow = z.looseObject({
  task_id: z.string(),
  conversation_id: z.string(),
  Collection: z.string(),
  domain: z.string().optional(),
  dataset: z.string().optional(),
  input: z.array(z.object({ speaker: z.enum(["user", "agent"]), text: z.string() })).min(1),
  targets: z.array(z.object({ text: z.string() })),
  contexts: z.array(
    z.object({ document_id: z.string(), title: z.string().nullish(), text: z.string().optional() }),
  ),
  answerability: words.optional(),
  question_type: words.optional(),
  // The public repository's spelling.
  Answerability: words.optional(),
  "Question Type": words.optional(),
});
export type TaskRow = z.infer<typeof taskRow>;

const answerabilities = [
  "ANSWERABLE",
  "PARTIAL",
  "UNANSWERABLE",
  "UNDERSPECIFIED",
  "CONVERSATIONAL",
] as const;

export function answerabilityOf(row: TaskRow): ConversationalLabels["answerability"] {
  const [given] = row.answerability ?? row.Answerability ?? [];
  const known = answerabilities.find((label) => label === given?.toUpperCase());
  // The official script treats a task without the label as answerable.
  return known ?? "ANSWERABLE";
}

/**
 * The collection that the task is about. The later release names `cloud` as `ibmcloud`; the name of
 * another collection is taken out of the name of its index, if it is one (`mt-rag-NAME-...`).
 */
export function domainOf({ domain, Collection }: TaskRow): string {
  const given = Collection.toLowerCase();
  return (
    domain ??
    ["clapnq", "fiqa", "govt", "cloud"].find((name) => given.includes(name)) ??
    /^mt-rag-([a-z]+)-/.exec(given)?.[1] ??
    given
  );
}

/**
 * The passages that the benchmark gives with a task, as far as it gives any.
 *
 * @throws EspalierError `dataset-invalid` if one is listed without its text
 */
export function givenPassages({ task_id: task, contexts }: TaskRow): readonly Passage[] {
  return contexts.map(({ document_id: id, title, text }) => {
    if (text === undefined) throw withoutText(id, task);
    return { id, ...(typeof title === "string" && { title }), text };
  });
}

function withoutText(passage: string, task: string): EspalierError {
  return new EspalierError({
    code: "dataset-invalid",
    problem: `Task \`${task}\` lists passage \`${passage}\` without its text`,
    expected: "a `text` in each of the task's `contexts`",
    fix: "Use the tasks with reference passages.",
  });
}
