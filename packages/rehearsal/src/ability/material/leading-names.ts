import type { TextReader, Word } from "../../text/index.ts";
import { sentences } from "../../text/index.ts";
import { cueWords } from "./cue-words.ts";
import type { Term, WeighedText } from "./salient-terms.ts";

/**
 * Weight of a sentence relative to the one before it, since texts state first what matters most.
 */
const later = 0.8;

/**
 * Names in some texts that lead on from a question, best first, each name whole. A name scores by
 * how much of the question its sentence contains, with rare words counting more, and three times as
 * much soon after one of the question's words that is not a name (`cueWords`). Words with a stem in
 * `except` are left out; numbers and dates lead nowhere, and a single capitalised word right before
 * a common noun hardly does: it tells the kind of the noun, as in "a Danish bridge". Texts are
 * taken at their word: if they mislead, so do the names.
 */
export function leadingNames(
  texts: readonly WeighedText[],
  question: string,
  reader: TextReader,
  except: ReadonlySet<string>,
): readonly Term[] {
  const { sharedWith, isCue, near } = cueWords(question, reader);
  const said = texts.flatMap(({ text, weight }) =>
    sentences(text).map((sentence, index) => {
      return { sentence, weight: weight * later ** index, shared: sharedWith(sentence) };
    }),
  );
  const holders = (stem: string): number => said.filter(({ shared }) => shared.has(stem)).length;
  const own = new Set(reader.words(question).flatMap(({ isName, stem }) => (isName ? [stem] : [])));
  const names = new Map<string, { words: readonly Word[]; score: number; index: number }>();
  for (const { sentence, weight, shared } of said) {
    const held = weight * [...shared].reduce((sum, stem) => sum + 1 / holders(stem), 0);
    const cues = reader
      .words(sentence)
      .filter(isCue)
      .map(({ end }) => end);
    for (const words of namesIn(sentence, reader)) {
      // A longer form of a name in the question leads nowhere.
      if (own.has(words[0]?.stem ?? "")) continue;
      const fresh = words.filter(({ stem }) => !except.has(stem));
      if (fresh.length === 0) continue;
      const [first, last] = [words[0]?.start ?? 0, words.at(-1)?.end ?? 0];
      const isNear = cues.some(
        (end) => end <= first && reader.words(sentence.slice(end, first)).length <= near,
      );
      const isAdjective =
        words.length === 1 &&
        /^ \p{Ll}/u.test(sentence.slice(last, last + 2)) &&
        isContent(sentence.slice(last), reader);
      const score = held * (isNear ? 3 : 1) * (isAdjective ? 0.2 : 1);
      const key = fresh.map(({ stem }) => stem).join(" ");
      const known = names.get(key);
      names.set(key, {
        words: fresh,
        score: Math.max(score, known?.score ?? 0) + Math.min(score, known?.score ?? 0) / 2,
        index: known?.index ?? names.size,
      });
    }
  }
  const ranked = [...names.values()].toSorted(
    (left, right) => right.score - left.score || left.index - right.index,
  );
  const terms = new Map<string, Term>();
  for (const { words, score } of ranked) {
    for (const { surface, stem } of words) {
      if (terms.has(stem)) continue;
      terms.set(stem, { surface, stem, isName: true, score, index: terms.size });
    }
  }
  return [...terms.values()];
}

/** Whether a text begins with a content word. */
function isContent(text: string, reader: TextReader): boolean {
  return reader.words(text)[0]?.kind === "content";
}

/**
 * Runs of name words; a capital at the start of a sentence counts if the next word continues the
 * name.
 */
function namesIn(sentence: string, reader: TextReader): readonly (readonly Word[])[] {
  const words = reader.words(sentence);
  const isNamed = (word: Word | undefined): boolean =>
    word !== undefined &&
    word.kind === "content" &&
    word.isName &&
    !/^\d/.test(word.surface) &&
    !calendar.has(word.lower);
  const names: Word[][] = [];
  let end = -1;
  for (const [index, word] of words.entries()) {
    const next = words[index + 1];
    const opens =
      /^\p{Lu}/u.test(word.surface) &&
      word.kind === "content" &&
      (isNamed(next) || sentence[word.end] === ":") &&
      isJoined(sentence, word.end, next?.start ?? word.end);
    if (!isNamed(word) && !opens) continue;
    const last = names.at(-1);
    if (last !== undefined && isJoined(sentence, end, word.start)) last.push(word);
    else names.push([word]);
    end = word.end;
  }
  return names;
}

function isJoined(text: string, from: number, to: number): boolean {
  return /^[\s.'’-]{0,2}$/u.test(text.slice(from, to));
}

const calendar: ReadonlySet<string> = new Set(
  `january february march april may june july august september october november december monday tuesday
  wednesday thursday friday saturday sunday`.split(/\s+/),
);
