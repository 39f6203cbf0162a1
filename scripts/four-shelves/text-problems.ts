import type { ShelfRows } from "./read-shelves.ts";
import { shelves } from "./read-shelves.ts";

/** Problems of the texts, one sentence each; empty if the set keeps its promises. */
export function textProblems(rows: readonly ShelfRows[]): readonly string[] {
  return [
    ...idProblems(rows),
    ...lengthProblems(rows),
    ...repeatedSentences(rows),
    ...sharedPhrases(rows),
    ...turnProblems(rows),
    ...repeatedOpenings(rows),
  ];
}

export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function idProblems(rows: readonly ShelfRows[]): string[] {
  const seen = new Set<string>();
  return rows.flatMap(({ shelf, passages, conversations }) =>
    [...passages, ...conversations].flatMap(({ id }) => {
      const problems = id.startsWith(`${shelves[shelf]}-`)
        ? []
        : [`${id}: wrong prefix for ${shelf}`];
      if (seen.has(id)) problems.push(`${id}: used twice`);
      seen.add(id);
      return problems;
    }),
  );
}

function lengthProblems(rows: readonly ShelfRows[]): string[] {
  return rows.flatMap(({ passages }) =>
    passages.flatMap(({ id, title, text }) => {
      const count = text.trim().split(/\s+/).length;
      const problems = count >= 40 && count <= 120 ? [] : [`${id}: ${count} words, not 40 to 120`];
      return title.trim() === "" ? [...problems, `${id}: no title`] : problems;
    }),
  );
}

function repeatedSentences(rows: readonly ShelfRows[]): string[] {
  const owner = new Map<string, string>();
  const texts = rows.flatMap(({ passages, conversations }) => [
    ...passages.map(({ id, text }) => ({ id, text })),
    ...conversations.flatMap(({ id, turns }) =>
      turns.flatMap(({ question, answer }, index) => [
        { id: `${id} turn ${index + 1} question`, text: question },
        { id: `${id} turn ${index + 1} answer`, text: answer },
      ]),
    ),
  ]);
  return texts.flatMap(({ id, text }) =>
    text.split(/(?<=[.!?])\s+/).flatMap((sentence) => {
      const key = wordsOf(sentence).join(" ");
      if (key === "") return [];
      const first = owner.get(key);
      owner.set(key, first ?? id);
      return first === undefined
        ? []
        : [`${id}: the sentence "${sentence}" also occurs in ${first}`];
    }),
  );
}

/** The largest share of a passage's 5-grams that another passage may contain. */
const largestShare = 1 / 5;

function sharedPhrases(rows: readonly ShelfRows[]): string[] {
  const passages = rows.flatMap((shelf) => shelf.passages);
  const grams = passages.map(({ text }) => phrasesOf(text, 5));
  const holders = Map.groupBy(
    grams.flatMap((set, index) => [...set].map((gram) => ({ gram, index }))),
    ({ gram }) => gram,
  );
  const shared = new Map<string, number>();
  for (const group of holders.values()) {
    for (const [index, { index: left }] of group.entries()) {
      for (const { index: right } of group.slice(index + 1)) {
        const pair = `${left}/${right}`;
        shared.set(pair, (shared.get(pair) ?? 0) + 1);
      }
    }
  }
  return [...shared].flatMap(([pair, count]) => {
    const [left = 0, right = 0] = pair.split("/").map(Number);
    const smaller = Math.min(grams[left]?.size ?? 0, grams[right]?.size ?? 0);
    return count > largestShare * smaller
      ? [`${passages[left]?.id} and ${passages[right]?.id} share ${count} of ${smaller} 5-grams`]
      : [];
  });
}

function turnProblems(rows: readonly ShelfRows[]): string[] {
  return rows.flatMap(({ passages, conversations }) => {
    const ids = new Set(passages.map(({ id }) => id));
    return conversations.flatMap(({ id, turns }) =>
      turns.flatMap((turn, index) => {
        const where = `${id} turn ${index + 1}`;
        const needsGold = turn.label === "answerable" || turn.label === "partial";
        const problems = turn.gold
          .filter((passage) => !ids.has(passage))
          .map((passage) => `${where}: gold passage ${passage} does not exist`);
        if (needsGold !== turn.gold.length > 0)
          problems.push(`${where}: ${turn.label} with ${turn.gold.length} gold`);
        const answered = phrasesOf(turn.answer, 6);
        for (const question of [turn.question, turn.standalone]) {
          const copied = [...phrasesOf(question, 6)].find((phrase) => answered.has(phrase));
          if (copied !== undefined) problems.push(`${where}: the answer repeats "${copied}"`);
        }
        for (const later of turns.slice(index)) {
          if (wordsOf(later.question).join(" ").includes(wordsOf(turn.answer).join(" "))) {
            problems.push(`${where}: a question contains the answer`);
          }
        }
        return problems;
      }),
    );
  });
}

/** A phrase that opens more texts than this looks like a template. */
const maxOpenings = 8;

function repeatedOpenings(rows: readonly ShelfRows[]): string[] {
  const openings = rows.flatMap(({ passages, conversations }) => [
    ...passages.map(({ text }) => `passage: ${wordsOf(text).slice(0, 3).join(" ")}`),
    ...conversations.flatMap(({ turns }) =>
      turns.map(({ question }) => `question: ${wordsOf(question).slice(0, 4).join(" ")}`),
    ),
  ]);
  return [...Map.groupBy(openings, (opening) => opening)].flatMap(([opening, { length }]) =>
    length > maxOpenings ? [`${length} texts open with the same words: ${opening}`] : [],
  );
}

function phrasesOf(text: string, length: number): Set<string> {
  const words = wordsOf(text);
  return new Set(
    words
      .slice(0, Math.max(0, words.length - length + 1))
      .map((_, start) => words.slice(start, start + length).join(" ")),
  );
}
