/** A stretch of words that two texts share, or that one of them has. */
export interface DiffPart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/**
 * How one text becomes another, word by word, by a longest common subsequence; white space is kept.
 * Parts other than the added ones make up the first text, parts other than the removed ones the second.
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  const [one, other] = [wordsOf(before), wordsOf(after)];
  const shared = commonLengths(one, other);
  const parts: { kind: DiffPart["kind"]; text: string }[] = [];
  const add = (kind: DiffPart["kind"], text: string): void => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else parts.push({ kind, text });
  };
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    const [word, counterpart] = [one[left], other[right]];
    if (word !== undefined && word === counterpart) {
      add("same", word);
      left++;
      right++;
    } else if (
      word !== undefined &&
      (counterpart === undefined ||
        lengthAt(shared, left + 1, right) >= lengthAt(shared, left, right + 1))
    ) {
      add("removed", word);
      left++;
    } else {
      add("added", counterpart ?? "");
      right++;
    }
  }
  return parts;
}

/** The same for a terminal, as `git diff --word-diff` has it: `[-gone-]`, `{+new+}`. */
export function wordDiffText(before: string, after: string): string {
  return wordDiff(before, after)
    .map(({ kind, text }) =>
      kind === "same" ? text : kind === "removed" ? `[-${text}-]` : `{+${text}+}`,
    )
    .join("");
}

/** Words and the white space between them. */
function wordsOf(text: string): readonly string[] {
  return text.match(/\s+|\S+/g) ?? [];
}

/** For each pair of places, the length of the longest common subsequence of what follows. */
function commonLengths(one: readonly string[], other: readonly string[]): readonly Uint16Array[] {
  const rows = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let left = one.length - 1; left >= 0; left--) {
    for (let right = other.length - 1; right >= 0; right--) {
      const row = rows[left];
      if (row === undefined) continue;
      row[right] =
        one[left] === other[right]
          ? 1 + lengthAt(rows, left + 1, right + 1)
          : Math.max(lengthAt(rows, left + 1, right), lengthAt(rows, left, right + 1));
    }
  }
  return rows;
}

function lengthAt(rows: readonly Uint16Array[], left: number, right: number): number {
  return rows[left]?.[right] ?? 0;
}
