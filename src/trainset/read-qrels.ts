import { EspalierError } from "../errors/index.ts";
import type { Line } from "./read-lines.ts";
import { readLines } from "./read-lines.ts";

/** Relevance grades by passage id; 0 is judged and not relevant. */
export type RelevanceGrades = Readonly<Record<string, number>>;

interface Judgement {
  readonly line: number;
  readonly queryId: string;
  readonly passageId: string;
  readonly grade: number;
}

/**
 * Reads relevance judgements, by query id. Recognizes two layouts by their columns: TREC (`query
 * iteration passage grade`, separated by white space) and BEIR (`query-id`, `corpus-id`, `score`,
 * separated by tabs, or by any white space below that header).
 *
 * @throws EspalierError `file-missing`, `file-malformed`, with file and line
 */
export async function readQrels(path: string): Promise<ReadonlyMap<string, RelevanceGrades>> {
  const lines = await readLines(path);
  const isBeir = isBeirHeader(lines[0]);
  const rows = isBeir ? lines.slice(1) : lines;
  if (rows.length === 0) throw noJudgement(path);
  return byQuery(
    rows.map((line) => parseJudgement(line, isBeir, path)),
    path,
  );
}

function isBeirHeader(line: Line | undefined): boolean {
  return line !== undefined && /^query-?_?id\s+corpus-?_?id\s+score$/i.test(line.text.trim());
}

function parseJudgement(line: Line, isBeir: boolean, path: string): Judgement {
  const tabbed = line.text.trim().split("\t");
  const columns = tabbed.length === 3 ? tabbed : line.text.trim().split(/\s+/);
  const [queryId, passageId, grade] =
    columns.length === 4 ? [columns[0], columns[2], columns[3]] : columns;
  const isComplete =
    (columns.length === 3 && (isBeir || tabbed.length === 3)) || columns.length === 4;
  if (!isComplete || !queryId || !passageId || !/^[+-]?\d+$/.test(grade ?? "")) {
    throw new EspalierError({
      code: "file-malformed",
      problem: "The line is not a relevance judgement",
      expected:
        "`query-id<TAB>corpus-id<TAB>score` (BEIR) or `query 0 passage grade` (TREC), the grade a whole number",
      got: line.text,
      where: `${path}:${line.number}`,
      fix: "Correct the line.",
    });
  }
  return { line: line.number, queryId, passageId, grade: Number(grade) };
}

function noJudgement(path: string): EspalierError {
  return new EspalierError({
    code: "file-malformed",
    problem: "The file holds no relevance judgements",
    expected: "one line for each judged passage of a query",
    got: "only a header",
    where: path,
    fix: "Check that the file was written or downloaded completely.",
  });
}

function byQuery(
  judgements: readonly Judgement[],
  path: string,
): ReadonlyMap<string, RelevanceGrades> {
  const queries = new Map<string, Map<string, number>>();
  for (const { line, queryId, passageId, grade } of judgements) {
    const grades = queries.get(queryId) ?? new Map<string, number>();
    const earlier = grades.get(passageId);
    if (earlier !== undefined && earlier !== grade) {
      throw new EspalierError({
        code: "file-malformed",
        problem: `Query \`${queryId}\` judges passage \`${passageId}\` twice`,
        expected: `grade ${earlier}, as before`,
        got: `grade ${grade}`,
        where: `${path}:${line}`,
        fix: "Keep one of the two lines.",
      });
    }
    queries.set(queryId, grades.set(passageId, grade));
  }
  // `fromEntries` defines own properties, so an id such as `__proto__` is only a name.
  return new Map(
    [...queries].map(([queryId, grades]) => [queryId, Object.freeze(Object.fromEntries(grades))]),
  );
}
