/**
 * Words that a description offers as choices, as in "yes, no or partial."; otherwise `undefined`.
 */
export function offeredWords(description: string): readonly string[] | undefined {
  const plain = description.trim().replace(/^(?:one of|either|just|only|the word)[ :]+/i, "");
  if (!listPattern.test(plain)) return undefined;
  const words = plain
    .replace(/(?<![.\s])[.\s]+$/, "")
    .split(/,\s*(?:or\s+)?|(?<!\s)\s+or\s+|(?:(?<!\s)\s+)?[/|]\s*/i)
    .map((word) => word.replaceAll(/["'`“”]/g, ""));
  return words.length >= 2 && new Set(words).size === words.length ? words : undefined;
}

const word = "[\"'`“]?[\\p{L}-]{1,20}[\"'`”]?";
const listPattern: RegExp = new RegExp(
  `^${word}(?:(?:,\\s*(?:or\\s+)?|\\s+or\\s+|\\s*[/|]\\s*)${word})+\\s*\\.?$`,
  "iu",
);

/**
 * "yes" and "no", with "partial" if offered beside them, spelled as in the prompt, if the prompt
 * asks for one of them.
 */
export function yesOrNo(prompt: string): readonly string[] | undefined {
  const between = "[\"'`”’]?\\s*(?:,\\s*(?:or|and)|or|/|,|and)\\s*[\"'`“‘]?";
  const third = "partial(?:ly)?|maybe|unsure";
  const three = new RegExp(
    `\\b(yes)\\b${between}(no|${third})\\b${between}(no|${third})\\b`,
    "i",
  ).exec(prompt);
  if (three !== null) return three.slice(1, 4);
  const two = new RegExp(`\\b(yes)\\b${between}(no)\\b`, "i").exec(prompt);
  return two === null ? undefined : [two[1] ?? "yes", two[2] ?? "no"];
}
