import type { ClauseReader, Concept } from "../../steering/index.ts";
import type { QuestionKind } from "./question-shape.ts";

const conceptOf: Readonly<Record<QuestionKind, Concept>> = {
  known: "known",
  single: "onefact",
  several: "severalfacts",
  chain: "chain",
};
const kinds = Object.keys(conceptOf) as readonly QuestionKind[];

/**
 * How well a label that stands for some kinds of question fits a question of one kind, in (0, 1].
 */
export type KindFit = (kind: QuestionKind) => number;

/**
 * Which kinds of question the labels stand for, by their names and a text's description of each.
 * `undefined` if fewer than two of them stand for any.
 */
export function labelKinds(
  labels: readonly string[],
  text: string,
  readClauses: ClauseReader,
): readonly KindFit[] | undefined {
  const definitions = definitionsOf(labels, text);
  const meanings = labels.map((label, index) =>
    meaningOf(definitions[index] ?? "", label, readClauses),
  );
  const known = meanings.filter((meaning) => meaning.some((share) => share > 0)).length;
  if (known < 2) return undefined;
  return meanings.map(
    (meaning) => (kind) =>
      0.02 +
      meaning.reduce((sum, share, index) => sum + share * closeness(index, kinds.indexOf(kind)), 0),
  );
}

/** Shares of the four kinds in a label's description; all 0 if there is none. */
function meaningOf(
  definition: string,
  label: string,
  readClauses: ClauseReader,
): readonly number[] {
  const hits = (text: string): readonly number[] =>
    kinds.map(
      (kind) =>
        readClauses(text)
          .flatMap((clause) => clause.hits.get(conceptOf[kind]) ?? [])
          .filter(({ isNegated }) => !isNegated || kind === "known").length,
    );
  // A label's description weighs more than its name.
  const said = hits(definition);
  const counts = said.some((count) => count > 0) ? said : hits(label.replaceAll(/[_-]/g, " "));
  const most = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => (most === 0 ? 0 : count / most));
}

/** Kinds are ordered by the work they take; a neighbour fits better than a distant one. */
function closeness(left: number, right: number): number {
  return [1, 0.25, 0.08, 0.03][Math.abs(left - right)] ?? 0;
}

/** The text after each label that begins a line or sentence, up to the next label. */
function definitionsOf(labels: readonly string[], text: string): readonly string[] {
  const places = labels.map((label) => {
    const escaped = label.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const defined = new RegExp(
      `(?:^|[.;:])[-*\\t "'\`]*${escaped}["'\`]?\\s*(?:[:=(–—]|-\\s|means|is|if|when|for)`,
      "im",
    ).exec(text);
    if (defined !== null) return { from: defined.index, to: defined.index + defined[0].length };
    const named = new RegExp(`["'\`]?\\b${escaped}\\b["'\`]?`, "i").exec(text);
    return named === null ? undefined : { from: named.index, to: named.index + named[0].length };
  });
  const starts = places.flatMap((place) => (place === undefined ? [] : [place.from]));
  return places.map((place) => {
    if (place === undefined) return "";
    const next = Math.min(text.length, ...starts.filter((start) => start > place.from));
    const said = text.slice(place.to, next);
    return said.split(/\n\s*\n/)[0] ?? "";
  });
}
