import { plainSearch } from "./plain-search.ts";
import type { QuestionRow } from "./read-questions.ts";
import type { PassageRow } from "./read-shelves.ts";

/**
 * Shares of the steps' passages among the first ten results of plain BM25, for different queries.
 */
export interface QuestionHeadRoom {
  readonly route: string;
  readonly questions: number;
  /** One search with the original question. */
  readonly question: number;
  /** One search per step, with the step's question. */
  readonly subQuestions: number;
  /** Share of questions for which a single search finds every passage. */
  readonly complete: number;
}

/**
 * Measures how much more separate searches for the steps find, for each kind of question with
 * passages.
 */
export function questionHeadRoom(
  questions: readonly QuestionRow[],
  passages: readonly PassageRow[],
): readonly QuestionHeadRoom[] {
  const search = plainSearch(passages);
  const finds = (query: string, passageId: string) =>
    search(query).some(({ id }) => id === passageId) ? 1 : 0;
  const foundByOne = ({ question, decomposition }: QuestionRow) =>
    decomposition.every(({ passageId }) => finds(question, passageId) === 1);
  const needing = questions.filter(({ decomposition }) => decomposition.length > 0);
  return [...Map.groupBy(needing, ({ route }) => route)].map(([route, rows]) => {
    const mean = (queryOf: (row: QuestionRow, step: number) => string): number =>
      average(
        rows.map((row) =>
          average(
            row.decomposition.map(({ passageId }, step) => finds(queryOf(row, step), passageId)),
          ),
        ),
      );
    return {
      route,
      questions: rows.length,
      question: mean(({ question }) => question),
      complete: average(rows.map((row) => (foundByOne(row) ? 1 : 0))),
      subQuestions: mean(({ decomposition }, step) => decomposition[step]?.question ?? ""),
    };
  });
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
