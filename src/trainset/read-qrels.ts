import { EspalierError } from "../errors/index.ts";
import type { Line } from "./read-lines.ts";
import { readLines } from "./read-lines.ts";

/** Relevance grades by passage id; 0 is judged and not relevant. */
export type RelevanceGrades = Readonly<Record<string, number>>;

export interface QrelsOptions {
  /** Ids of the collection. If set, a row that names any other passage is an error. */
  readonly passageIds?: ReadonlySet<string>;
}

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
 * Throws an `EspalierError` naming file and line: `file-missing`, `file-malformed`, or
 * `passage-unknown` with the number of other rows that name unknown passages.
 */
export async function readQrels(
  path: string,
  { passageIds }: QrelsOptions = {},
): Promise<ReadonlyMap<string, RelevanceGrades>> {
  const lines = await readLines(path);
  const isBeir = isBeirHeader(lines[0]);
  const rows = isBeir ? lines.slice(1) : lines;
  if (rows.length === 0) throw noJudgement(path);
  const judgements = rows.map((line) => parseJudgement(line, isBeir, path));
  if (passageIds !== undefined) refuseUnknownPassages(judgements, passageIds, path);
  return byQuery(judgements, path);
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

function refuseUnknownPassages(
  judgements: readonly Judgement[],
  passageIds: ReadonlySet<string>,
  path: string,
): void {
  const unknown = judgements.filter(({ passageId }) => !passageIds.has(passageId));
  const [first] = unknown;
  if (first === undefined) return;
  const others = unknown.length - 1;
  throw new EspalierError({
    code: "passage-unknown",
    problem: `The qrels name passage \`${first.passageId}\`, which the collection lacks`,
    expected: `one of the ${passageIds.size} passage ids of the collection`,
    got: `query \`${first.queryId}\`, passage \`${first.passageId}\`, and ${others} other ${others === 1 ? "row" : "rows"} naming unknown passages`,
    where: `${path}:${first.line}`,
    fix: "Use the qrels that belong to this collection, or index the missing passages.",
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
