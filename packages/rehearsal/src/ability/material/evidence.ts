import type { TextReader } from "../../text/index.ts";
import { coverage, sentences } from "../../text/index.ts";
import type { Material } from "./material.ts";

export interface EvidenceSentence {
  readonly text: string;
  /** Number of its passage, as shown; 0 for text that is not in a passage. */
  readonly passage: number;
  /**
   * How much it bears on the question, 0 or more; the function that creates it defines the scale.
   */
  readonly score: number;
}

/**
 * All sentences of the passages (or of other texts, if there are no passages), in reading order. A
 * score is the share of wanted stems in the sentence or its passage's title, in [0, 1].
 */
export function evidenceSentences(
  { passages, texts }: Material,
  wanted: ReadonlySet<string>,
  reader: TextReader,
): readonly EvidenceSentence[] {
  const blocks =
    passages.length > 0 ? passages : texts.map((text) => ({ number: 0, title: "", text }));
  return blocks.flatMap(({ number, title, text }) => {
    const titled = reader.stems(title);
    return sentences(text).map((sentence) => {
      const held = new Set([...reader.stems(sentence), ...titled]);
      return { text: sentence, passage: number, score: coverage(wanted, held) };
    });
  });
}

/**
 * The same sentences, scored by distinguishing words: rare words count more, and the question's
 * names count double. A score is the weight of the sentence's wanted stems as a share of all, in
 * [0, 1]. If the question contains the whole title of the passage, and so asks about it, the score
 * rises by half: up to 1.5.
 */
export function informativeSentences(
  material: Material,
  wanted: ReadonlySet<string>,
  reader: TextReader,
): readonly EvidenceSentence[] {
  const all = evidenceSentences(material, wanted, reader);
  const names = new Set(
    reader.words(material.question).flatMap(({ isName, stem }) => (isName ? [stem] : [])),
  );
  const held = all.map(({ text, passage }) => {
    const title = material.passages.find(({ number }) => number === passage)?.title ?? "";
    return new Set([...reader.stems(text), ...reader.stems(title)]).intersection(wanted);
  });
  const rarity = new Map(
    [...wanted].map((stem) => {
      const holders = held.filter((stems) => stems.has(stem)).length;
      return [stem, Math.log(1 + all.length / (1 + holders)) * (names.has(stem) ? 2 : 1)];
    }),
  );
  const titled = new Set(
    material.passages.flatMap(({ number, title }) => {
      const stems = reader.stems(title);
      return stems.size > 0 && stems.isSubsetOf(wanted) ? [number] : [];
    }),
  );
  const most = [...rarity.values()].reduce((sum, value) => sum + value, 0);
  return all.map((sentence, index) => ({
    ...sentence,
    score:
      ([...(held[index] ?? [])].reduce((sum, stem) => sum + (rarity.get(stem) ?? 0), 0) /
        Math.max(1e-9, most)) *
      (titled.has(sentence.passage) ? 1.5 : 1),
  }));
}

/**
 * How well the available texts cover the question, in [0, 1]: mostly by the best one, partly by
 * all.
 */
export function supportOf(
  { passages, texts }: Material,
  wanted: ReadonlySet<string>,
  reader: TextReader,
): number {
  const held = (
    passages.length > 0 ? passages.map(({ title, text }) => `${title}\n${text}`) : texts
  ).map((text) => reader.stems(text));
  const best = Math.max(0, ...held.map((stems) => coverage(wanted, stems)));
  const together = coverage(wanted, new Set(held.flatMap((stems) => [...stems])));
  return 0.6 * best + 0.4 * together;
}

/** The question's own content words, with those of its subject if it names none. */
export function wantedStems(material: Material, reader: TextReader): ReadonlySet<string> {
  const own = reader.stems(material.question);
  if (own.size > 2 || material.turns.length === 0) return own;
  const last = material.turns.findLast(({ speaker }) => speaker === "user");
  return new Set([...own, ...reader.stems(last?.text ?? "")]);
}
