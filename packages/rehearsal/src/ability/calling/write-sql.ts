import type { PastCall } from "../../reading/index.ts";
import type { TextReader } from "../../text/index.ts";
import type { Table } from "./read-tables.ts";
import { readTables } from "./read-tables.ts";

/**
 * A query for a question in plain words over one table, if an earlier call has shown the tables;
 * `undefined` otherwise. It compares texts as they are written, and counts rows, unless it is told
 * to compare without regard to case, or to count each thing once.
 */
export function writeSql({
  question,
  guidance,
  past,
  reader,
}: {
  readonly question: string;
  readonly guidance: string;
  readonly past: readonly PastCall[];
  readonly reader: TextReader;
}): string | undefined {
  const tables = past.flatMap(({ result }) => readTables(result));
  const asked = reader.stems(question);
  const [table] = tables.toSorted(
    (left, right) => overlap(right, asked, reader) - overlap(left, asked, reader),
  );
  if (table === undefined) return undefined;
  const numbers = table.columns.filter(({ isNumber }) => isNumber);
  const named = (column: Table["columns"][number]): number =>
    [...reader.stems(column.name.replaceAll("_", " "))].filter((stem) => asked.has(stem)).length;
  const number = numbers.toSorted((left, right) => named(right) - named(left))[0]?.name;
  const [first] = table.columns;
  const texts = table.columns.filter(({ isNumber, name }) => !isNumber && name !== first?.name);
  const kind = texts.toSorted((left, right) => named(right) - named(left))[0];
  const ignoresCase = /\bcase\b/i.test(guidance);
  const conditions = [
    ...texts.flatMap(({ name, values }) =>
      values
        .filter((value) => mentions(question, value, ignoresCase))
        .map((value) => `${name} = '${value.replaceAll("'", "''")}'`),
    ),
    ...(number === undefined ? [] : bounds(question, number)),
  ];
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  const from = `FROM ${table.name}${where}`;
  if (/\b(?:different|distinct)\b/i.test(question) && kind !== undefined) {
    const isOnce = /\b(?:once|distinct|duplicates?|repeat\w*)\b/i.test(guidance);
    return `SELECT COUNT(${isOnce ? "DISTINCT " : ""}${kind.name}) ${from}`;
  }
  if (/\bhow many\b/i.test(question)) return `SELECT COUNT(*) ${from}`;
  if (number !== undefined && /\b(?:average|mean)\b/i.test(question)) {
    return `SELECT AVG(${number}) ${from}`;
  }
  if (number !== undefined && /\b(?:total|sum|altogether|together)\b/i.test(question)) {
    return `SELECT SUM(${number}) ${from}`;
  }
  const order = most.test(question) ? "DESC" : least.test(question) ? "ASC" : undefined;
  const select = `SELECT ${first?.name ?? "*"} ${from}`;
  return order === undefined || number === undefined
    ? select
    : `${select} ORDER BY ${number} ${order} LIMIT 1`;
}

const most = /\b(?:most|longest|highest|largest|greatest|latest|newest|tallest|dearest)\b/i;
const least = /\b(?:least|shortest|lowest|smallest|fewest|earliest|oldest|cheapest)\b/i;

function overlap({ name, columns }: Table, asked: ReadonlySet<string>, reader: TextReader): number {
  const count = (text: string): number =>
    [...reader.stems(text.replaceAll("_", " "))].filter((stem) => asked.has(stem)).length;
  return 3 * count(name) + count(columns.map((column) => column.name).join(" "));
}

/** Whether the value stands in the question with no letter or digit beside it. */
function mentions(question: string, value: string, ignoresCase: boolean): boolean {
  const [text, sought] = ignoresCase
    ? [question.toLowerCase(), value.toLowerCase()]
    : [question, value];
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + sought.length, at + sought.length + 2);
    if (!/[\p{L}\d]$/u.test(before) && !/^[\p{L}\d]/u.test(after)) return true;
  }
  return false;
}

function bounds(question: string, column: string): readonly string[] {
  const found = [
    ...question.matchAll(
      /\b(more than|over|above|after|at least|less than|under|below|before|at most)\s+(\d+(?:\.\d+)?)/gi,
    ),
  ];
  return found.map(([, words = "", value]) => `${column} ${signs[words.toLowerCase()]} ${value}`);
}

const signs: Readonly<Record<string, string>> = {
  "more than": ">",
  over: ">",
  above: ">",
  after: ">",
  "at least": ">=",
  "less than": "<",
  under: "<",
  below: "<",
  before: "<",
  "at most": "<=",
};
