/**
 * How publishers write question sets. A row's fields tell its layout, so that a set may come from
 * its publisher or from a copy.
 */
import { EspalierError } from "espalier";
import { jsonRows } from "espalier/trainset";
import { z } from "zod";
import type { SetQuestion } from "../set-question.ts";
import { hotpotqa } from "./hotpotqa.ts";
import type { Layout } from "./layout.ts";
import { musique } from "./musique.ts";
import { naturalQuestions, naturalQuestionsTokens } from "./natural-questions.ts";
import { dpr, goldenAnswers, namedQuestions, nqOpen } from "./open-questions.ts";
import { ownRows } from "./own-rows.ts";
import { squad, squadRows } from "./squad.ts";
import { triviaqa } from "./triviaqa.ts";

/** The first whose marks a row has is its layout. */
const layouts: readonly Layout[] = [
  ownRows,
  musique,
  squadRows,
  hotpotqa,
  squad,
  dpr,
  goldenAnswers,
  namedQuestions,
  nqOpen,
  naturalQuestions,
  naturalQuestionsTokens,
  triviaqa,
];

/** A row in any layout: read by the schema of the layout whose marks it has. */
const anyRow = z.record(z.string(), z.unknown()).transform((row, context) => {
  const found = layouts.find(({ marks }) => marks.every((mark) => Object.hasOwn(row, mark)));
  if (found === undefined) {
    context.addIssue({
      code: "custom",
      message: `the fields of a known layout: ${layouts.map(({ marks }) => marks.join(" + ")).join("; ")}`,
      input: row,
    });
    return z.NEVER;
  }
  const read = found.schema.safeParse(row);
  if (read.success) return read.data;
  for (const { message, path } of read.error.issues) {
    context.addIssue({ code: "custom", message: `${message} (${found.name})`, path: [...path] });
  }
  return z.NEVER;
});

/**
 * The questions of a file in any known layout, in its order.
 *
 * @throws EspalierError `file-missing`; `file-malformed` with line, row and field;
 * `dataset-invalid` if no question has an answer
 */
export async function* readQuestions(path: string): AsyncGenerator<SetQuestion> {
  let [questions, answered] = [0, 0];
  for await (const { row } of jsonRows(path, anyRow, { lists: ["data", "Data"] })) {
    for (const question of row) {
      questions++;
      if (question.answers.length > 0) answered++;
      yield question;
    }
  }
  if (answered > 0) return;
  throw new EspalierError({
    code: "dataset-invalid",
    problem: "The questions have no answers, so nothing can be scored",
    where: path,
    got: `${questions} of ${questions} questions without any`,
    fix: "Use rows that have them, such as those of train and dev; a leaderboard's test rows do not.",
  });
}
