import type { Component, Demonstration, NearestDemonstrations } from "../../contract/index.ts";
import { canonicalJson, componentId, withoutImages } from "../../internal/index.ts";
import { wordDiff } from "../../word-diff/index.ts";

/**
 * Every component in which two candidates differ: of a text the lines with `[-gone-]` and
 * `{+new+}`, of demonstrations how many there are, the ids that went and came, and three that are
 * new.
 */
export function componentChanges(
  before: readonly Component[],
  after: readonly Component[],
): readonly string[] {
  const byId = (all: readonly Component[]): ReadonlyMap<string, Component> =>
    new Map(all.map((held) => [componentId(held), held]));
  const [olds, helds] = [byId(before), byId(after)];
  return [...new Set([...olds.keys(), ...helds.keys()])].flatMap((id) => {
    const [one, other] = [olds.get(id), helds.get(id)];
    const [old, now] = [comparedText(one), comparedText(other)];
    if (old === now) return [];
    const { kind } = one ?? other ?? {};
    if (kind === "demos") return demosText(id, one, other);
    // A setting is one word: a diff of it would be longer, and say less.
    if (kind === "parameter") return [`${id}  ${old ?? "none"} -> ${now ?? "none"}`];
    if (!old && !now) return [`${id}  ${old === null ? "none -> empty" : "empty -> none"}`];
    return [id, ...changedLines(old ?? "", now ?? "").map((line) => `${textMark}${line}`)];
  });
}

/** Begins each shown line of a text. */
export const textMark = "  | ";

/** All demonstrations would be most of a screen: their ids tell them, and three show the kind. */
function demosText(
  id: string,
  before: Component | undefined,
  after: Component | undefined,
): readonly string[] {
  const [old, now] = [demosIn(before), demosIn(after)];
  const [wasShown, isShown] = [before, after].map((one) =>
    one?.kind === "demos" && one.nearest ? nearestText(one.nearest) : "all",
  );
  const removed = without(old, now);
  const added = without(now, old);
  const isReordered = canonicalJson(without(old, removed)) !== canonicalJson(without(now, added));
  return [
    `${id}  ${old.length} -> ${counted(now.length)}${isReordered ? `, reordered: ${idsOf(now)}` : ""}`,
    ...(wasShown === isShown ? [] : [`  shown: ${wasShown} -> ${isShown}`]),
    ...(removed.length === 0 ? [] : [`  - ${idsOf(removed)}`]),
    ...(added.length === 0 ? [] : [`  + ${idsOf(added)}`]),
    ...added
      .slice(0, 3)
      .map(
        ({ inputs, outputs }) =>
          `    ${JSON.stringify(withoutImages(inputs))} -> ${JSON.stringify(outputs)}`,
      ),
  ];
}

function demosIn(component: Component | undefined): readonly Demonstration[] {
  return component?.kind === "demos" ? component.value : [];
}

/** Those of which the others hold no equal. */
function without(
  all: readonly Demonstration[],
  others: readonly Demonstration[],
): readonly Demonstration[] {
  const known = new Set(others.map(canonicalJson));
  return all.filter((one) => !known.has(canonicalJson(one)));
}

function idsOf(demonstrations: readonly Demonstration[]): string {
  return demonstrations.map(({ exampleId }) => exampleId).join(", ");
}

function counted(count: number): string {
  return `${count} ${count === 1 ? "demonstration" : "demonstrations"}`;
}

/** Unchanged lines kept beside a changed one. */
const unchangedAround = 1;

/**
 * The lines of a word diff in which something changed, `[-gone-]` and `{+new+}`, with a line around
 * each; of longer unchanged stretches only how many lines they have.
 */
export function changedLines(before: string, after: string): readonly string[] {
  const lines: { text: string; isChanged: boolean }[] = [{ text: "", isChanged: false }];
  for (const { kind, text } of wordDiff(before, after)) {
    const [open, close] = marks[kind];
    const pieces = text.split("\n");
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) lines.push({ text: "", isChanged: false });
      const line = lines.at(-1) as (typeof lines)[number];
      line.text += `${index === 0 ? open : ""}${piece}${index === pieces.length - 1 ? close : ""}`;
      line.isChanged ||= kind !== "same";
    }
  }
  const isShown = (index: number): boolean =>
    lines
      .slice(Math.max(0, index - unchangedAround), index + unchangedAround + 1)
      .some(({ isChanged }) => isChanged);
  const shown: string[] = [];
  for (let index = 0; index < lines.length;) {
    let end = index;
    while (end < lines.length && !isShown(end)) end++;
    const count = end - index;
    // Saying that one line is left out takes a line, too.
    if (count > 1) shown.push(`... ${count} lines unchanged`);
    else if (count === 1) shown.push(lines[index]?.text ?? "");
    index = end;
    if (index < lines.length) shown.push(lines[index++]?.text ?? "");
  }
  return shown;
}

const marks = {
  same: ["", ""],
  removed: ["[-", "-]"],
  added: ["{+", "+}"],
} as const;

/** The line that tells of a predictor's demonstrations; none if it has none. */
export function demonstrationsText(
  count: number,
  nearest: NearestDemonstrations | null | undefined,
): readonly string[] {
  if (count === 0) return [];
  const all = `  ${counted(count)}`;
  return [nearest ? `${all}, of which prompts show ${nearestText(nearest)}` : all];
}

/** A component's value as it is compared: a text, or anything else as JSON; `null` if absent. */
function comparedText(component: Component | undefined): string | null {
  if (component === undefined) return null;
  const { value } = component;
  const text = typeof value === "string" ? value : canonicalJson(value);
  const nearest = component.kind === "demos" ? component.nearest : undefined;
  return nearest ? `${nearestText(nearest)} of ${text}` : text;
}

function nearestText({ k, by }: NearestDemonstrations): string {
  return `the ${k} nearest by ${by === "words" ? by : `the vectors of ${by.embedder.model}`}`;
}
