import type { TextReader, Word } from "../text/index.ts";
import type { EvidenceSentence } from "./evidence.ts";

/**
 * The shortest run of words that may answer: a number or date for "when" and "how many", otherwise the
 * first name that the question does not have, otherwise the sentence's last content words. A question
 * that can only be confirmed or denied is confirmed when the evidence has most of it.
 */
export function answerSpan(
  question: string,
  evidence: readonly EvidenceSentence[],
  reader: TextReader,
): string {
  const asked = new Set(reader.words(question).map(({ stem }) => stem));
  const yesOrNo = /^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would)\b/i;
  if (yesOrNo.test(question.trim()) && !/ or /.test(question)) {
    return (evidence[0]?.score ?? 0) > 0.5 ? "yes" : "no";
  }
  for (const { text } of evidence) {
    const words = reader.words(text).filter(({ stem }) => !asked.has(stem));
    const start = words.findIndex((word) =>
      wantsNumber.test(question)
        ? /\d/.test(word.surface)
        : word.isName && !/\d/.test(word.surface),
    );
    if (start >= 0) return run(text, words, start);
  }
  const last = reader
    .words(evidence[0]?.text ?? question)
    .filter(({ kind }) => kind === "content")
    .slice(-2);
  return last.map(({ surface }) => surface).join(" ");
}

/** Interrogatives that a figure answers. */
const wantsNumber =
  /\bwhen\b|\bhow (?!do|does|did|can|could|should|to|is|are|was|were|come)\w+|\b(?:what|which|at what) (?:\w+ )?(?:year|date|number|day|age|percentage|price|height|length|depth|population|temperature|frequency|distance|share|rate)\b/i;

/** Goes on while names follow one another with nothing but a space between. */
function run(text: string, words: readonly Word[], start: number): string {
  let end = start;
  while (
    words[end + 1]?.isName === true &&
    text.slice(words[end]?.end, words[end + 1]?.start).trim() === ""
  ) {
    end += 1;
  }
  return text.slice(words[start]?.start, words[end]?.end);
}
