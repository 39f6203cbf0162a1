import type { Behaviour } from "../steering/index.ts";
import type { TextReader } from "../text/index.ts";
import type { CaseStudy } from "./case-study.ts";

/** Something worked cases can teach, and ways to word it. */
export interface Lesson {
  readonly behaviour: Behaviour;
  /** How strongly the cases speak for it; below 1 is no evidence. */
  weigh(cases: readonly CaseStudy[], reader: TextReader): number;
  /**
   * Wordings, best first. A slot `{a|b}` takes the first alternative that the prompt has the words
   * for; a wording with a slot that cannot be filled is not used.
   */
  readonly wordings: readonly string[];
}

/**
 * Evidence that a source held what was lacking: words that a case lacked and its own source has,
 * less what the sources of the other cases have of them by chance. Words that several cases lack are
 * common ones and prove nothing.
 */
export function sourceEvidence(
  cases: readonly CaseStudy[],
  reader: TextReader,
  sourceOf: (study: CaseStudy) => readonly string[],
): number {
  const sources = cases.map(
    (study) => new Set(sourceOf(study).flatMap((text) => [...reader.stems(text)])),
  );
  let evidence = 0;
  for (const [index, { lacking }] of cases.entries()) {
    const own = [...lacking].filter(
      (stem) => !cases.some((other, place) => place !== index && other.lacking.has(stem)),
    );
    const here = own.filter((stem) => sources[index]?.has(stem)).length;
    const elsewhere = sources.map((source, place) =>
      place === index ? 0 : own.filter((stem) => source.has(stem)).length,
    );
    const byChance =
      elsewhere.reduce((sum, count) => sum + count, 0) / Math.max(1, cases.length - 1);
    evidence += Math.min(4, here) - byChance;
  }
  return evidence / Math.sqrt(Math.max(1, cases.length));
}
