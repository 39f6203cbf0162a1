import { wordDiff } from "../../word-diff/index.ts";

/** Unchanged lines kept beside a changed one. */
const context = 1;

/**
 * The lines of a word diff in which something changed, `[-gone-]` and `{+new+}`, with a line around
 * each; of longer unchanged stretches only how many lines they have.
 */
export function changedLines(before: string, after: string): readonly string[] {
  const lines: { text: string; isChanged: boolean }[] = [{ text: "", isChanged: false }];
  for (const { kind, text } of wordDiff(before, after)) {
    const [open, close] = marks[kind];
    const pieces = text.split("\n");
    for (const [place, piece] of pieces.entries()) {
      if (place > 0) lines.push({ text: "", isChanged: false });
      const line = lines.at(-1) as (typeof lines)[number];
      line.text += `${place === 0 ? open : ""}${piece}${place === pieces.length - 1 ? close : ""}`;
      line.isChanged ||= kind !== "same";
    }
  }
  const isShown = (place: number): boolean =>
    lines
      .slice(Math.max(0, place - context), place + context + 1)
      .some(({ isChanged }) => isChanged);
  const shown: string[] = [];
  for (let place = 0; place < lines.length;) {
    let end = place;
    while (end < lines.length && !isShown(end)) end++;
    const count = end - place;
    // Saying that one line is left out takes a line, too.
    if (count > 1) shown.push(`... ${count} lines unchanged`);
    else if (count === 1) shown.push(lines[place]?.text ?? "");
    place = end;
    if (place < lines.length) shown.push(lines[place++]?.text ?? "");
  }
  return shown;
}

const marks = {
  same: ["", ""],
  removed: ["[-", "-]"],
  added: ["{+", "+}"],
} as const;
