import type { JsonObject, LmTool } from "../../../../../src/contract/index.ts";
import type { PastCall } from "../../reading/index.ts";
import type { TextReader } from "../../text/index.ts";
import type { Material } from "../material/material.ts";
import { bridgeNames } from "../material/bridge-names.ts";
import { expressionIn } from "./expression-in.ts";
import { writeSql } from "./write-sql.ts";

export interface NextCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/**
 * The calls of an agent's next step, judged by what its tools say of themselves and by what the
 * instruction asks for; none if it has what it wants.
 *
 * - Arithmetic in the question goes to a tool for expressions, and SQL to one that takes SQL.
 * - A tool without arguments is called first.
 * - Anything else is searched for: once, with the query that the instruction steers; further times,
 *   with the names that the results brought up, if instruction or description ask to search again.
 */
export function nextCalls({
  tools,
  past,
  guidance,
  material,
  reader,
  query,
}: {
  readonly tools: readonly LmTool[];
  readonly past: readonly PastCall[];
  /** The instruction. */
  readonly guidance: string;
  readonly material: Material;
  readonly reader: TextReader;
  /** Writes the first query. */
  readonly query: () => string;
}): readonly NextCall[] {
  const { question } = material;
  const unasked = (call: NextCall): readonly NextCall[] =>
    past.some((made) => made.tool === call.tool && sameInput(made.input, call.input)) ? [] : [call];
  return tools.flatMap((tool): readonly NextCall[] => {
    const [argument] = argumentsOf(tool);
    const said = `${tool.name} ${tool.description} ${argument?.description ?? ""}`;
    const on = (text: string): readonly NextCall[] =>
      argument === undefined ? [] : unasked({ tool: tool.name, input: { [argument.name]: text } });
    if (argument === undefined) return unasked({ tool: tool.name, input: {} });
    if (/\bsql\b/i.test(said)) {
      const sql = writeSql({ question, guidance: `${guidance} ${said}`, past, reader });
      return sql === undefined ? [] : on(sql);
    }
    if (/\b(?:expression|arithmetic|calculat\w*|sums?)\b/i.test(said)) {
      const expression = expressionIn(question);
      return expression === undefined ? [] : on(expression);
    }
    const searches = past.filter((call) => call.tool === tool.name);
    if (searches.length === 0) return on(query());
    if (searches.length >= maxSearches(`${guidance} ${tool.description}`)) return [];
    const followed = followUp(searches, question, reader);
    return followed === undefined ? [] : on(followed);
  });
}

const seeking = /\b(?:search|look|ask|call|find|seek)\w*\b/i;
const oftener = /\b(?:again|once more|twice|further|another|next|follow[- ]?up)\b/i;
const again = /\b(?:again|once more|another search|second search|further search)/i;
const untilFound = /\b(?:until|keep|as often as|each|every|three)\b/i;

/** Searches on one question: one, unless more are asked for. */
function maxSearches(said: string): number {
  const sentences = said.split(/(?<=[.;!?])\s+|\n/).filter(asksForMore);
  if (sentences.length === 0) return 1;
  return sentences.some((sentence) => untilFound.test(sentence)) ? 3 : 2;
}

function asksForMore(sentence: string): boolean {
  if (again.test(sentence)) return true;
  return sentence.split(/[.;]/).some((clause) => {
    const found = seeking.exec(clause);
    return found !== null && oftener.test(clause.slice(found.index + found[0].length));
  });
}

/** The question with the names that the results brought up. */
function followUp(
  searches: readonly PastCall[],
  question: string,
  reader: TextReader,
): string | undefined {
  const asked = searches.map(({ input }) => JSON.stringify(input)).join(" ");
  const known = reader.stems(`${question} ${asked}`);
  const texts = searches.map(({ result }, index) => ({ text: result, weight: index + 1 }));
  const names = bridgeNames(texts, question, reader, known).slice(0, 2);
  if (names.length === 0) return undefined;
  return `${names
    .toSorted((left, right) => left.index - right.index)
    .map(({ surface }) => surface)
    .join(" ")} ${question}`;
}

interface Argument {
  readonly name: string;
  readonly description: string;
}

function argumentsOf({ parameters }: LmTool): readonly Argument[] {
  return Object.entries((parameters["properties"] ?? {}) as JsonObject).map(([name, schema]) => ({
    name,
    description: ((schema as JsonObject)["description"] ?? "") as string,
  }));
}

function sameInput(left: JsonObject, right: JsonObject): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
