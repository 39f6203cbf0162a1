import type { Component, NearestDemonstrations } from "../../contract/index.ts";
import { componentId, withoutImages } from "../../internal/index.ts";
import { wordDiff } from "../../word-diff/index.ts";

/** Every component in which two candidates differ, with what changed in its texts. */
export function componentChanges(
  before: readonly Component[],
  after: readonly Component[],
): readonly string[] {
  return after.flatMap((held, index) => {
    const [old, now] = [before[index], held].map(comparedText) as [string, string];
    if (old === now) return [];
    // A setting is one word: a diff of it would be longer, and say less.
    if (held.kind === "parameter") return [`${componentId(held)}  ${old} -> ${now}`];
    return [componentId(held), ...changedLines(old, now).map((line) => `  | ${line}`)];
  });
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
  const all = `  ${count} demonstrations`;
  return [nearest ? `${all}, of which prompts show ${nearestText(nearest)}` : all];
}

/** A component's value as it is compared: a text as it is, anything else as JSON. */
export function comparedText(component: Component | undefined): string {
  if (component === undefined) return "null";
  const { value } = component;
  const text = typeof value === "string" ? value : JSON.stringify(withoutImages(value));
  const nearest = component.kind === "demos" ? component.nearest : undefined;
  return nearest ? `${nearestText(nearest)} of ${text}` : text;
}

function nearestText({ k, by }: NearestDemonstrations): string {
  return `the ${k} nearest by ${by === "words" ? by : `the vectors of ${by.embedder.model}`}`;
}
