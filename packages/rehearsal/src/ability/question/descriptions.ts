import type { TextReader, Word } from "../../text/index.ts";

/** Something that a question describes instead of naming it. */
export interface Description {
  /** Its position in the question, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** A question that asks for it. */
  readonly ask: string;
}

/**
 * What has to be found out first, innermost first: nouns with a relative clause ("the port
 * where...", "an engineer whose..."), and relations of a named thing within a larger question ("the
 * designer of Norvik", "Ada Brandt's teacher").
 */
export function descriptionsIn(question: string, reader: TextReader): readonly Description[] {
  const words = reader.words(question);
  const found = [
    ...words.flatMap((_, index) => relativeAt(question, words, index)),
    ...words.flatMap((_, index) => relationAt(question, words, index)),
    ...words.flatMap((_, index) => possessiveAt(question, words, index)),
  ];
  return found.toSorted((left, right) => right.start - left.start || left.end - right.end);
}

/** "the N that ...": from the noun's determiner to the end of the clause. */
function relativeAt(text: string, words: readonly Word[], index: number): readonly Description[] {
  const word = words[index];
  const before = words[index - 1];
  if (word === undefined || before === undefined || !relatives.has(word.lower)) return [];
  const preposition = prepositions.has(before.lower) ? 1 : 0;
  const nounEnd = index - preposition;
  const start = headStart(words, nounEnd);
  if (start === undefined) return [];
  const last = clauseEnd(text, words, { start, relative: index });
  const clause = text.slice(words[index + 1]?.start ?? word.end, words[last]?.end);
  if (clause === "" || last <= index) return [];
  const head = text.slice(words[start + 1]?.start, words[nounEnd - 1]?.end);
  return [
    {
      start: words[start]?.start ?? 0,
      end: words[last]?.end ?? text.length,
      ask: asked(head, word.lower, preposition === 1 ? before.lower : "", clause),
    },
  ];
}

function asked(head: string, relative: string, preposition: string, clause: string): string {
  if (relative === "whose") return `Which ${head}'s ${clause}?`;
  if (relative === "where") return `In which ${head} ${clause}?`;
  if (preposition !== "") return `${capital(preposition)} which ${head} ${clause}?`;
  return `Which ${head} ${clause}?`;
}

/** Index of the determiner before a noun phrase of at most five words. */
function headStart(words: readonly Word[], nounEnd: number): number | undefined {
  for (let index = nounEnd - 1; index >= Math.max(0, nounEnd - 6); index--) {
    const word = words[index];
    if (word === undefined) return undefined;
    if (determiners.has(word.lower)) return nounEnd - index > 1 ? index : undefined;
    if (word.kind === "function" && !within.has(word.lower)) return undefined;
  }
  return undefined;
}

/**
 * "the R of NAME", "the R of the R of NAME" from the inside out, if the question asks more about
 * it.
 */
function relationAt(text: string, words: readonly Word[], index: number): readonly Description[] {
  const [the, role] = [words[index], words[index + 1]];
  if (the?.lower !== "the" || role === undefined) return [];
  const of = words.findIndex(
    ({ lower }, at) => at > index + 1 && at <= index + 4 && lower === "of",
  );
  const noun = words[of - 1];
  if (of < 0 || noun === undefined || !isRelation(noun)) return [];
  const last = nameEnd(text, words, of + 1);
  if (last === undefined || isAskItself(words, index, last)) return [];
  const [start, end] = [the.start, words[last]?.end ?? text.length];
  return [{ start, end, ask: `${askWord(noun)} is ${text.slice(start, end)}?` }];
}

/** "NAME's R". */
function possessiveAt(text: string, words: readonly Word[], index: number): readonly Description[] {
  const role = words[index];
  const owner = words[index - 1];
  if (role === undefined || owner?.isName !== true || !isRelation(role)) return [];
  if (!/['’]s\s+$/.test(text.slice(owner.start, role.start))) return [];
  let first = index - 1;
  while (words[first - 1]?.isName === true) first -= 1;
  if (isAskItself(words, first, index)) return [];
  const [start, end] = [words[first]?.start ?? 0, role.end];
  return [{ start, end, ask: `${askWord(role)} is ${text.slice(start, end)}?` }];
}

/** "Who is the designer of Norvik?" asks for the designer and nothing else. */
function isAskItself(words: readonly Word[], first: number, last: number): boolean {
  const before = words.slice(0, first).map(({ lower }) => lower);
  const isOpening = before.every((word) => openers.has(word));
  return (
    isOpening &&
    before.length <= 3 &&
    last >= words.length - 1 &&
    before[0] !== "where" &&
    before[0] !== "when"
  );
}

/** Last word of a name that a common noun may follow: "the Norvik lighthouse". */
function nameEnd(text: string, words: readonly Word[], from: number): number | undefined {
  let index = determiners.has(words[from]?.lower ?? "") ? from + 1 : from;
  // "the song Low Water": a common noun may precede the name.
  if (words[index]?.isName !== true && words[index + 1]?.isName === true) index += 1;
  if (words[index]?.isName !== true) return nounEnd(text, words, index);
  while (words[index + 1]?.isName === true && isClose(text, words, index)) index += 1;
  const next = words[index + 1];
  const isNoun =
    next?.kind === "content" && isClose(text, words, index) && !participle.test(next.lower);
  const isLast = index + 1 === words.length - 1;
  return isNoun && !isLast ? index + 1 : index;
}

/** "the inventor of the steam crane": content words up to any other word. */
function nounEnd(text: string, words: readonly Word[], from: number): number | undefined {
  if (words[from]?.kind !== "content" || from < 2 || words[from - 1]?.lower !== "the")
    return undefined;
  let index = from;
  while (
    words[index + 1]?.kind === "content" &&
    index < from + 2 &&
    isClose(text, words, index) &&
    !participle.test(words[index + 1]?.lower ?? "")
  ) {
    index += 1;
  }
  return index;
}

function isClose(text: string, words: readonly Word[], index: number): boolean {
  return /^[\s.'’-]{0,2}s?\s?$/.test(text.slice(words[index]?.end, words[index + 1]?.start));
}

/**
 * A relative clause runs to the end of its sentence, except for the verb of the question itself:
 * "When did the firm that made it close?", "Where was the poet who wrote it born?"
 */
function clauseEnd(
  text: string,
  words: readonly Word[],
  { start, relative: index }: { readonly start: number; readonly relative: number },
): number {
  const comma = words.findIndex(
    (word, at) => at > index + 1 && /[,;?!]\s/.test(text.slice(words[at - 1]?.end, word.start)),
  );
  const last = (comma < 0 ? words.length : comma) - 1;
  if (comma >= 0) return last;
  const opening = words[start - 1]?.lower ?? "";
  const verb = words[last]?.lower ?? "";
  const isDone = ["did", "does", "do"].includes(opening);
  const isBeing = ["was", "is", "were", "are"].includes(opening);
  const isOutside = last > index + 2 && (isDone || (isBeing && participle.test(verb)));
  return isOutside ? last - 1 : last;
}

/**
 * A noun that names a role relative to something else: by its ending, or one of the most common.
 */
function isRelation({ lower, kind }: Word): boolean {
  return (
    kind !== "function" && (/(?:[^aeiou]er|or|ist|ian|ant)$/.test(lower) || relations.has(lower))
  );
}

function askWord({ lower }: Word): string {
  return things.has(lower) ? "What" : "Who";
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const participle = /(?:ed|en|wn|rn|lt|nt|ld|nd|de|ne)$/;
const relatives: ReadonlySet<string> = new Set("that who whom whose which where".split(" "));
const determiners: ReadonlySet<string> = new Set("the a an this that".split(" "));
const prepositions: ReadonlySet<string> = new Set(
  "in on at from to by for of with after".split(" "),
);
const within: ReadonlySet<string> = new Set("of same only".split(" "));
const openers: ReadonlySet<string> = new Set("who what which is was are were".split(" "));
const things: ReadonlySet<string> = new Set(
  "capital birthplace hometown home country city river language publisher label location site".split(
    " ",
  ),
);
const relations: ReadonlySet<string> = new Set([
  ...things,
  ..."mother father wife husband spouse child son daughter brother sister king queen head chief".split(
    " ",
  ),
  ..."architect pupil spokesman manager parent uncle aunt friend rival heir company team host".split(
    " ",
  ),
]);
