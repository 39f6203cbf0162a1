import type { CandidateRecord } from "../../optimizer/index.ts";
import type { Component } from "../../contract/index.ts";
import { componentId } from "../../internal/index.ts";
import { comparedText } from "./demonstrations-text.ts";

/** Lines of a diff that are worth a screen. */
const mostLines = 20;
/** Of one line, which may be a whole list of demonstrations. */
const mostCharacters = 160;

/**
 * What won: the sentences and settings in which it differs from the program that the search started
 * from, before and after, in at most 20 lines.
 *
 * @param showAll the command that shows the whole difference
 */
export function winnerText(
  { id, components }: CandidateRecord,
  seed: CandidateRecord | undefined,
  showAll: string,
): readonly string[] {
  const changes = components.flatMap((held, place) => changesOf(seed?.components[place], held));
  if (changes.length === 0) {
    return ["what won: the program it started from; no candidate was better on val"];
  }
  const shown = changes.slice(0, mostLines);
  const isCut = shown.some(({ length }) => length > mostCharacters);
  const more = changes.length - shown.length;
  const left = [
    ...(more === 0 ? [] : [`${more} more ${more === 1 ? "line" : "lines"}`]),
    ...(isCut ? ["long lines whole"] : []),
  ];
  return [
    `what won: candidate ${id} (- before, + after)`,
    ...shown.map((line) => `  ${cut(line)}`),
    ...(left.length === 0 ? [] : [`  ... ${left.join(", ")}: ${showAll}`]),
  ];
}

function changesOf(before: Component | undefined, held: Component): readonly string[] {
  const [old, now] = [before, held].map(comparedText) as [string, string];
  if (before === undefined || old === now) return [];
  if (held.kind === "demos") return [demosText(held, before)];
  if (held.kind === "parameter") return [`${componentId(held)}  ${old} -> ${now}`];
  const [was, is] = [sentencesOf(old), sentencesOf(now)];
  const lines = [
    ...was.filter((sentence) => !is.includes(sentence)).map((sentence) => `  - ${sentence}`),
    ...is.filter((sentence) => !was.includes(sentence)).map((sentence) => `  + ${sentence}`),
  ];
  return [
    componentId(held),
    ...(lines.length === 0 ? ["  the same sentences, rearranged"] : lines),
  ];
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

/** Whole demonstrations would be most of a screen; their ids tell them. */
function demosText(held: Component, before: Component | undefined): string {
  const idsOf = (one: Component | undefined): readonly string[] =>
    one?.kind === "demos" ? one.value.map(({ exampleId }) => exampleId) : [];
  const [old, now] = [idsOf(before), idsOf(held)];
  const added = now.length === 0 ? "" : `: ${now.join(", ")}`;
  return `${componentId(held)}  ${old.length} -> ${now.length} demonstrations${added}`;
}

function cut(line: string): string {
  return line.length <= mostCharacters ? line : `${line.slice(0, mostCharacters - 3)}...`;
}
