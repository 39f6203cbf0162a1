import { diffArrays } from "diff";

/** A stretch of words that both texts share or that only one of them has. */
export interface DiffPart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/**
 * Texts with more differences than this count as one change: time and memory grow with its square.
 */
const mostEdits = 1000;

/**
 * Compares two texts word by word, sharing as many words as possible and keeping white space. Texts
 * that differ in more than a thousand words are first compared by lines; lines that differ as much
 * are shown as replaced. Changes separated only by white space merge into one, as in `git diff
 * --word-diff`. Without the added parts the rest forms the first text, without the removed parts
 * the second.
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  return joined(byWords(before, after) ?? byLines(before, after) ?? replaced(before, after));
}

/** Formats the diff for a terminal, as `git diff --word-diff` does: `[-gone-]`, `{+new+}`. */
export function wordDiffText(before: string, after: string): string {
  return wordDiff(before, after)
    .map(({ kind, text }) =>
      kind === "same" ? text : kind === "removed" ? `[-${text}-]` : `{+${text}+}`,
    )
    .join("");
}

function byWords(before: string, after: string): readonly DiffPart[] | undefined {
  const [one, other] = [wordsOf(before), wordsOf(after)];
  const changes = diffArrays<Word>([...one], [...other], {
    comparator: (left, right) => left.word === right.word,
    maxEditLength: mostEdits,
  });
  if (changes === undefined) return undefined;
  let [left, right] = [0, 0];
  return changes.flatMap(({ added, removed, count }): readonly DiffPart[] => {
    const gone = added ? [] : one.slice(left, (left += count));
    const come = removed ? [] : other.slice(right, (right += count));
    if (removed) return [{ kind: "removed", text: textOf(gone) }];
    if (added) return [{ kind: "added", text: textOf(come) }];
    return gone.flatMap(({ word, space }, place) => {
      const newSpace = come[place]?.space ?? "";
      return space === newSpace
        ? [{ kind: "same", text: word + space }]
        : [{ kind: "same", text: word }, ...replaced(space, newSpace)];
    });
  });
}

function byLines(before: string, after: string): readonly DiffPart[] | undefined {
  const changes = diffArrays(linesOf(before), linesOf(after), { maxEditLength: mostEdits });
  if (changes === undefined) return undefined;
  const parts: DiffPart[] = [];
  let [gone, come] = ["", ""];
  const end = (): void => {
    parts.push(...(byWords(gone, come) ?? replaced(gone, come)));
    [gone, come] = ["", ""];
  };
  for (const { added, removed, value } of changes) {
    const text = value.join("");
    if (removed) gone += text;
    else if (added) come += text;
    else {
      end();
      parts.push({ kind: "same", text });
    }
  }
  end();
  return parts;
}

function replaced(before: string, after: string): readonly DiffPart[] {
  return [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
}

interface Word {
  readonly word: string;
  /** The white space before the next word. */
  readonly space: string;
}

/** Starts with an empty word if the text starts with white space. */
function wordsOf(text: string): readonly Word[] {
  return (text.match(/^\s+|\S+\s*/g) ?? []).map((part) => {
    const word = part.trimEnd();
    return { word, space: part.slice(word.length) };
  });
}

function textOf(words: readonly Word[]): string {
  return words.map(({ word, space }) => word + space).join("");
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** Merges the changes between two unchanged parts into one removed and one added part. */
function joined(parts: readonly DiffPart[]): readonly DiffPart[] {
  const all: DiffPart[] = [];
  let [removed, added, same] = ["", "", ""];
  const end = (): void => {
    // White space that ends both parts is unchanged and belongs to the part that follows.
    const gap = commonGap(removed, added);
    const [gone, come] = [removed, added].map((text) => text.slice(0, text.length - gap.length));
    if ((gone || come) && same) all.push({ kind: "same", text: same });
    if (gone) all.push({ kind: "removed", text: gone });
    if (come) all.push({ kind: "added", text: come });
    same = gone || come ? gap : same + gap;
    [removed, added] = ["", ""];
  };
  for (const { kind, text } of parts) {
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else {
      if (removed || added) end();
      same += text;
    }
  }
  end();
  if (same) all.push({ kind: "same", text: same });
  return all;
}

function commonGap(one: string, other: string): string {
  const [gap, counterpart] = [one, other].map((text) => text.slice(text.trimEnd().length));
  if (gap === undefined || counterpart === undefined) return "";
  const shorter = gap.length < counterpart.length ? gap : counterpart;
  return gap.endsWith(shorter) && counterpart.endsWith(shorter) ? shorter : "";
}
