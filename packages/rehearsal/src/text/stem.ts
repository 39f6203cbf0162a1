/**
 * Porter's suffix stripping (M. F. Porter, "An algorithm for suffix stripping", Program 14(3),
 * 1980), for lower-case English words. Words in other alphabets and words with digits are returned
 * unchanged.
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let rest = plural(word);
  rest = pastOrGerund(rest);
  rest = rest.endsWith("y") && hasVowel(rest.slice(0, -1)) ? `${rest.slice(0, -1)}i` : rest;
  rest = replaceLongest(rest, doubleSuffixes, 0);
  rest = replaceLongest(rest, singleSuffixes, 0);
  rest = dropSuffix(rest);
  return tidy(rest);
}

function plural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function pastOrGerund(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const suffix = ["ed", "ing"].find((ending) => word.endsWith(ending));
  if (suffix === undefined) return word;
  const base = word.slice(0, -suffix.length);
  if (!hasVowel(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/([^aeiou])\1$/.test(base) && !/[lsz]$/.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && endsShort(base) ? `${base}e` : base;
}

function replaceLongest(
  word: string,
  table: Readonly<Record<string, string>>,
  least: number,
): string {
  for (let length = Math.min(7, word.length - 1); length >= 3; length--) {
    const suffix = word.slice(-length);
    const replacement = Object.hasOwn(table, suffix) ? table[suffix] : undefined;
    if (replacement === undefined) continue;
    const base = word.slice(0, -length);
    return measure(base) > least ? base + replacement : word;
  }
  return word;
}

function dropSuffix(word: string): string {
  for (let length = Math.min(5, word.length - 1); length >= 2; length--) {
    const suffix = word.slice(-length);
    if (!lastSuffixes.includes(suffix)) continue;
    const base = word.slice(0, -length);
    if (measure(base) <= 1) return word;
    return suffix === "ion" && !/[st]$/.test(base) ? word : base;
  }
  return word;
}

function tidy(word: string): string {
  let rest = word;
  if (rest.endsWith("e")) {
    const base = rest.slice(0, -1);
    const long = measure(base);
    if (long > 1 || (long === 1 && !endsShort(base))) rest = base;
  }
  return rest.endsWith("ll") && measure(rest) > 1 ? rest.slice(0, -1) : rest;
}

/** Number of vowel-consonant sequences: Porter's `m`. */
function measure(base: string): number {
  let count = 0;
  let wasVowel = false;
  for (let index = 0; index < base.length; index++) {
    const vowel = isVowel(base, index);
    if (wasVowel && !vowel) count += 1;
    wasVowel = vowel;
  }
  return count;
}

function isVowel(word: string, index: number): boolean {
  const letter = word[index] ?? "";
  return letter === "y" ? index > 0 && !isVowel(word, index - 1) : "aeiou".includes(letter);
}

function hasVowel(base: string): boolean {
  for (let index = 0; index < base.length; index++) if (isVowel(base, index)) return true;
  return false;
}

/** Consonant, vowel, consonant other than w, x, y: as in `hop` and `fil`. */
function endsShort(base: string): boolean {
  const last = base.length - 1;
  return (
    last >= 2 &&
    !isVowel(base, last) &&
    isVowel(base, last - 1) &&
    !isVowel(base, last - 2) &&
    !/[wxy]$/.test(base)
  );
}

const doubleSuffixes: Readonly<Record<string, string>> = {
  ational: "ate",
  tional: "tion",
  enci: "ence",
  anci: "ance",
  izer: "ize",
  abli: "able",
  alli: "al",
  entli: "ent",
  eli: "e",
  ousli: "ous",
  ization: "ize",
  ation: "ate",
  ator: "ate",
  alism: "al",
  iveness: "ive",
  fulness: "ful",
  ousness: "ous",
  aliti: "al",
  iviti: "ive",
  biliti: "ble",
};

const singleSuffixes: Readonly<Record<string, string>> = {
  icate: "ic",
  ative: "",
  alize: "al",
  iciti: "ic",
  ical: "ic",
  ful: "",
  ness: "",
};

const lastSuffixes: readonly string[] =
  "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(" ");

/** Turns `{ meaning: "word word" }` into a look-up from the stem of each word to its meaning. */
export function stemTable<TMeaning extends string>(
  wordsByMeaning: Readonly<Record<TMeaning, string>>,
): ReadonlyMap<string, TMeaning> {
  return new Map(
    Object.entries<string>(wordsByMeaning).flatMap(([meaning, words]) =>
      words.split(/\s+/).map((word) => [stem(word), meaning as TMeaning] as const),
    ),
  );
}
