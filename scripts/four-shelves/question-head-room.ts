import { plainSearch } from "./plain-search.ts";
import type { QuestionRow } from "./read-questions.ts";
import type { PassageRow } from "./read-shelves.ts";

/** Share of the steps' passages among the first ten of plain BM25, by what is searched for. */
export interface QuestionHeadRoom {
  readonly route: string;
  readonly questions: number;
  /** One search with the question as it stands. */
  readonly question: number;
  /** A search for each step, with the step's question. */
  readonly subQuestions: number;
  /** Share of the questions of which one search finds every passage. */
  readonly complete: number;
}

/** Measures, for each kind of question that needs passages, what asking the steps apart finds more. */
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
