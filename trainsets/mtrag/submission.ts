import { EspalierError, passages } from "espalier";
import { readJsonl } from "espalier/trainset";
import { z } from "zod";
import { releaseIn } from "./release.ts";
import type { TaskRow } from "./task-row.ts";
import { givenPassages, taskRow } from "./task-row.ts";

/** Subtasks of SemEval-2026 Task 8: retrieval, generation from given passages, and both. */
export const subtasks = ["A", "B", "C"] as const;
export type Subtask = (typeof subtasks)[number];

/** A line of a prediction file, as `format_checker.py` and the benchmark's scripts read it. */
export interface SubmissionRow extends Pick<
  TaskRow,
  "conversation_id" | "task_id" | "Collection" | "input"
> {
  /** At most 10, best first. */
  readonly contexts: readonly {
    readonly document_id: string;
    readonly title?: string;
    readonly text: string;
    /** 1 / rank: the scripts sort by it, and break ties by id. */
    readonly score: number;
  }[];
  /** Absent in subtask A. */
  readonly predictions?: readonly { readonly text: string }[];
}

const maxContexts = 10;

/** What a program for one of the subtasks returns. */
const programOutput = z.looseObject({
  /** Found passages, best first. */
  passages: passages().optional(),
  /** Those among them that the answer was written from. @default `passages` */
  contexts: passages().optional(),
  answer: z.string().optional(),
});

/** A run of a program on a task; it has no output if it failed. */
export interface TaskRun {
  readonly exampleId: string;
  readonly output?: unknown;
}

/**
 * The prediction file for runs on MTRAG's tasks, in the order of the tasks. A failed run becomes an
 * empty prediction, since the benchmark counts it as well.
 *
 * @param folder as `mtrag` reads it
 * @returns the rows, and how many tasks have no run and are left out
 * @throws EspalierError `file-missing` or `file-malformed` for the tasks; `dataset-invalid` if a
 *   run is of no task, or a task or an output lacks what the subtask asks for
 */
export async function mtragSubmission({
  folder,
  subtask,
  runs,
}: {
  readonly folder: string;
  readonly subtask: Subtask;
  readonly runs: readonly TaskRun[];
}): Promise<{ readonly rows: readonly SubmissionRow[]; readonly missing: number }> {
  const tasks = await readJsonl(releaseIn(folder).tasks, taskRow);
  const byTask = new Map(runs.map((run) => [run.exampleId, run]));
  const known = new Set(tasks.map((task) => task.task_id));
  const unknown = runs.find(({ exampleId }) => !known.has(exampleId));
  if (unknown !== undefined) {
    throw new EspalierError({
      code: "dataset-invalid",
      problem: `The result has an example that is not a task in ${folder}`,
      expected: "a result of a study on MTRAG or MTRAG-UN, evaluated from the same folder",
      got: `example \`${unknown.exampleId}\``,
    });
  }
  const rows = tasks.flatMap((task) => {
    const run = byTask.get(task.task_id);
    return run === undefined ? [] : [rowOf(task, run, subtask)];
  });
  return { rows, missing: tasks.length - rows.length };
}

function rowOf(task: TaskRow, { output }: TaskRun, subtask: Subtask): SubmissionRow {
  const { conversation_id, task_id, Collection, input } = task;
  const given = programOutput.safeParse(output ?? {});
  const { passages: found, contexts = found, answer } = given.data ?? {};
  const hasFailed = output === undefined;
  const read = subtask === "A" ? found : subtask === "B" ? givenPassages(task) : contexts;
  if (!hasFailed && (read === undefined || (subtask !== "A" && answer === undefined))) {
    throw new EspalierError({
      code: "dataset-invalid",
      problem: `The output for task \`${task_id}\` does not fit subtask ${subtask}`,
      expected: expected[subtask],
      got: `fields: ${Object.keys(output as object).join(", ") || "none"}`,
      fix: "Name the subtask that the study is for, or evaluate another study.",
    });
  }
  return {
    conversation_id,
    task_id,
    Collection,
    input,
    contexts: (read ?? []).slice(0, maxContexts).map(({ id, title, text }, index) => ({
      document_id: id,
      ...(title !== undefined && { title }),
      text,
      score: 1 / (index + 1),
    })),
    ...(subtask !== "A" && { predictions: [{ text: answer ?? "" }] }),
  };
}

const expected: Readonly<Record<Subtask, string>> = {
  A: "`passages`, a list of the passages found",
  B: "`answer`, a string",
  C: "`answer`, a string, and `contexts` or `passages`, a list",
};
