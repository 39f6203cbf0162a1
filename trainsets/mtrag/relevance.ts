import { EspalierError } from "espalier";
import type { RelevanceGrades } from "espalier/trainset";
import { readQrels } from "espalier/trainset";
import type { Release } from "./release.ts";
import { qrelsFiles } from "./release.ts";
import type { TaskRow } from "./task-row.ts";
import { answerabilityOf } from "./task-row.ts";

/** The relevant passages of a task with their grades; none if the task was not judged. */
export type Relevance = (task: TaskRow) => RelevanceGrades;

/**
 * Relevance according to the qrels beside the tasks: a turn missing from them was not judged,
 * whatever passages are listed with it. Without qrels, the passages listed with the task are
 * relevant, unless it is underspecified: no judgement of the benchmark counts such a turn.
 *
 * @throws EspalierError `dataset-invalid` if no task is judged; `file-malformed` if two files
 * contradict each other
 */
export async function relevanceIn(
  { tasks: path, qrels: files }: Pick<Release, "tasks" | "qrels">,
  tasks: readonly TaskRow[],
): Promise<Relevance> {
  if (files.length === 0) {
    if (tasks.some((task) => Object.keys(listedWith(task)).length > 0)) return listedWith;
    throw new EspalierError({
      code: "dataset-invalid",
      problem: "The MTRAG tasks have no relevance judgements, so retrieval cannot be scored",
      where: path,
      expected: `qrels in ${qrelsFiles.join(" or ")}, or the relevant passages of a task in its \`contexts\``,
      got: `no qrels, and ${tasks.length} of ${tasks.length} tasks with empty \`contexts\``,
      fix: "Put the qrels beside the tasks, or use the tasks with reference passages",
    });
  }
  const qrels = merged(
    await Promise.all(files.map(async (file) => ({ file, queries: await readQrels(file) }))),
  );
  if (!tasks.some(({ task_id }) => qrels.has(task_id))) {
    throw new EspalierError({
      code: "dataset-invalid",
      problem: "The qrels cover none of the MTRAG tasks",
      where: path,
      expected: `task ids as query ids, such as \`${tasks[0]?.task_id ?? ""}\``,
      got: `${qrels.size} queries, such as \`${[...qrels.keys()][0] ?? ""}\``,
      fix: "Put the qrels of this release beside its tasks",
    });
  }
  return ({ task_id }) => qrels.get(task_id) ?? {};
}

function listedWith(task: TaskRow): RelevanceGrades {
  if (answerabilityOf(task) === "UNDERSPECIFIED") return {};
  return Object.fromEntries(task.contexts.map(({ document_id: id }) => [id, 1]));
}

interface JudgedFile {
  readonly file: string;
  readonly queries: ReadonlyMap<string, RelevanceGrades>;
}

interface GradeOfFile {
  readonly grade: number;
  readonly file: string;
}

/** Several files may judge one query; each passage has one grade. */
function merged(judged: readonly JudgedFile[]): ReadonlyMap<string, RelevanceGrades> {
  const queries = new Map<string, Map<string, GradeOfFile>>();
  for (const { file, queries: ofFile } of judged) {
    for (const [query, grades] of ofFile) {
      const passages = queries.get(query) ?? new Map<string, GradeOfFile>();
      queries.set(query, passages);
      for (const [passage, grade] of Object.entries(grades)) {
        const earlier = passages.get(passage);
        if (earlier === undefined) passages.set(passage, { grade, file });
        else if (earlier.grade !== grade) {
          throw new EspalierError({
            code: "file-malformed",
            problem: `Two qrels files contradict each other on passage \`${passage}\` of query \`${query}\``,
            where: file,
            expected: `grade ${earlier.grade}, as in ${earlier.file}`,
            got: `grade ${grade}`,
            fix: "Keep one of the two judgements.",
          });
        }
      }
    }
  }
  return new Map(
    [...queries].map(([query, passages]) => [
      query,
      Object.fromEntries([...passages].map(([passage, { grade }]) => [passage, grade])),
    ]),
  );
}
