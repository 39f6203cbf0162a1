import type { TextReader } from "../text/index.ts";
import { coverage, sentences } from "../text/index.ts";
import type { Material } from "./material.ts";

export interface EvidenceSentence {
  readonly text: string;
  /** Number of its passage, as shown; 0 for text that is no passage. */
  readonly passage: number;
  /** Share of the question's content words in the sentence or its passage's title, in [0, 1]. */
  readonly score: number;
}

/** All sentences of passages (or of other texts, without passages), in reading order. */
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

/** How well the texts at hand cover the question, in [0, 1]: mostly by the best of them, partly by all. */
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

/** The question's own content words, with those of its subject when it names none. */
export function wantedStems(material: Material, reader: TextReader): ReadonlySet<string> {
  const own = reader.stems(material.question);
  if (own.size > 2 || material.turns.length === 0) return own;
  const last = material.turns.findLast(({ speaker }) => speaker === "user");
  return new Set([...own, ...reader.stems(last?.text ?? "")]);
}
