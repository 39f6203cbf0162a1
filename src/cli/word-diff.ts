/** A stretch of words that two texts share, or that one of them has. */
export interface DiffPart {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/**
 * How one text becomes another, word by word, sharing as many words as can be; white space is kept.
 * Changes with nothing but white space between them are one, as `git diff --word-diff` has it. Parts other
 * than the added ones make up the first text, parts other than the removed ones the second.
 */
export function wordDiff(before: string, after: string): readonly DiffPart[] {
  return joined(smallParts(before, after));
}

/** Takes what comes between two parts that are the same: what went, and then what came. */
function joined(parts: readonly DiffPart[]): readonly DiffPart[] {
  const all: DiffPart[] = [];
  let [removed, added] = ["", ""];
  let same = "";
  const end = (): void => {
    // White space that ends both belongs to what follows.
    const gap = commonGap(removed, added);
    const [gone, come] = [removed, added].map((text) => text.slice(0, text.length - gap.length));
    if (gone) all.push({ kind: "removed", text: gone });
    if (come) all.push({ kind: "added", text: come });
    same = gap;
    [removed, added] = ["", ""];
  };
  for (const [place, { kind, text }] of parts.entries()) {
    const isBetween =
      kind === "same" && /^\s+$/.test(text) && place > 0 && place < parts.length - 1;
    if (kind === "same" && !isBetween) {
      end();
      all.push({ kind, text: same + text });
      same = "";
    } else {
      if (kind !== "added") removed += text;
      if (kind !== "removed") added += text;
    }
  }
  end();
  if (same !== "") all.push({ kind: "same", text: same });
  return all;
}

function commonGap(one: string, other: string): string {
  const [gap = ""] = /\s*$/.exec(one) ?? [];
  const [counterpart = ""] = /\s*$/.exec(other) ?? [];
  const shorter = gap.length < counterpart.length ? gap : counterpart;
  return gap.endsWith(shorter) && counterpart.endsWith(shorter) ? shorter : "";
}

function smallParts(before: string, after: string): readonly DiffPart[] {
  const [one, other] = [wordsOf(before), wordsOf(after)];
  const shared = commonWeights(one, other);
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
        weightAt(shared, left + 1, right) >= weightAt(shared, left, right + 1))
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

/** A word outweighs all white space of a text. */
const wordWeight = 2 ** 16;

/**
 * For each pair of places, the weight of the heaviest common subsequence of what follows. For texts of
 * fewer than 2^16 words.
 */
function commonWeights(one: readonly string[], other: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: one.length + 1 }, () => new Uint32Array(other.length + 1));
  for (let left = one.length - 1; left >= 0; left--) {
    for (let right = other.length - 1; right >= 0; right--) {
      const row = rows[left];
      if (row === undefined) continue;
      row[right] =
        one[left] === other[right]
          ? weightOf(one[left]) + weightAt(rows, left + 1, right + 1)
          : Math.max(weightAt(rows, left + 1, right), weightAt(rows, left, right + 1));
    }
  }
  return rows;
}

function weightOf(word: string | undefined): number {
  return word === undefined || /^\s/.test(word) ? 1 : wordWeight;
}

function weightAt(rows: readonly Uint32Array[], left: number, right: number): number {
  return rows[left]?.[right] ?? 0;
}
