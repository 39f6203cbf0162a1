import type { CandidateRecord } from "../../optimizer/index.ts";
import type { Component } from "../../contract/index.ts";
import { componentId } from "../../internal/index.ts";
import { componentChanges } from "./component-changes.ts";

/** Lines of a diff that are worth a screen. */
const mostLines = 20;
/** Of one line, which may be a whole list of demonstrations. */
const mostCharacters = 160;

/**
 * What won, in words: the texts and settings in which it differs from the seed, as a diff of at
 * most 20 lines.
 *
 * @param showAll the command that shows the whole diff
 */
export function winnerText(
  { id, components }: CandidateRecord,
  seed: CandidateRecord | undefined,
  showAll: string,
): readonly string[] {
  const changes = components.flatMap((held, place): readonly string[] => {
    const before = seed?.components[place];
    const lines = before === undefined ? [] : componentChanges([before], [held]);
    return lines.length > 0 && held.kind === "demos" ? [demosText(held, before)] : lines;
  });
  if (changes.length === 0) {
    return ["what won: the program as it was; no candidate was better on val"];
  }
  const shown = changes.slice(0, mostLines);
  const isCut = shown.some(({ length }) => length > mostCharacters);
  const more = changes.length - shown.length;
  const left = [
    ...(more === 0 ? [] : [`${more} more ${more === 1 ? "line" : "lines"}`]),
    ...(isCut ? ["long lines whole"] : []),
  ];
  return [
    `what won: candidate ${id}, against the seed [-gone-] {+new+}`,
    ...shown.map((line) => `  ${cut(line)}`),
    ...(left.length === 0 ? [] : [`  ... ${left.join(", ")}: ${showAll}`]),
  ];
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
