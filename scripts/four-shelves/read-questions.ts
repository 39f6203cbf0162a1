import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export interface SubQuestionRow {
  readonly question: string;
  readonly answer: string;
  readonly passageId: string;
}

export interface QuestionRow {
  readonly id: string;
  readonly route: "straightforward" | "single-step" | "compound" | "complex";
  readonly questionType: string;
  readonly question: string;
  readonly answers: readonly string[];
  readonly decomposition: readonly SubQuestionRow[];
}

const file = resolve(import.meta.dirname, "../../trainsets/four-shelves/questions.jsonl");

/** The single questions, as in the file. */
export function readQuestions(): readonly QuestionRow[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as QuestionRow);
}
