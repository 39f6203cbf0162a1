// The authors' code is Python, whose `\s`, `\w`, `\b`, `\d` and `split()` cover all of Unicode. The
// matches of these programs must agree with it.

const space = String.raw`[\p{White_Space}\u001c-\u001f]`;
const letter = String.raw`[\p{L}\p{N}_]`;

const oneSpace = new RegExp(space, "u");

/** `text.strip()`. */
export function stripped(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && oneSpace.test(text.charAt(start))) start++;
  while (start < end && oneSpace.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/**
 * A regular expression with Python's meaning of `\s`, `\w`, `\d` and `\b`, none of them inside
 * `[]`.
 */
export function pythonPattern(pattern: string, flags = ""): RegExp {
  const translated = pattern.replaceAll(/\\([swdb])/g, (_, kind: keyof typeof meanings) => {
    return meanings[kind];
  });
  return new RegExp(translated, `u${flags}`);
}

const meanings = {
  s: space,
  w: letter,
  d: String.raw`\p{Nd}`,
  b: `(?:(?<=${letter})(?!${letter})|(?<!${letter})(?=${letter}))`,
};
