import type { Behaviour } from "../../steering/index.ts";
import type { TextReader } from "../../text/index.ts";
import type { CaseStudy } from "./case-study.ts";

/** Something that worked cases can teach, and ways to phrase it. */
export interface Lesson {
  readonly behaviour: Behaviour;
  /** How strongly the cases support it; below 1 is no evidence. */
  weigh(cases: readonly CaseStudy[], reader: TextReader): number;
  /**
   * Phrasings, best first. A slot `{a|b}` takes the first alternative whose words occur in the
   * prompt; a phrasing with a slot that cannot be filled is not used.
   */
  readonly wordings: readonly string[];
}

/** Weight of a habit shown by cases that fall short: a single case is not enough evidence. */
export function casesWith(
  cases: readonly CaseStudy[],
  shows: (study: CaseStudy) => boolean,
): number {
  return Math.min(1.5, cases.filter(shows).length * 0.75);
}

/**
 * Evidence that a source contained what was lacking: words that a case lacked and its own source
 * has, minus the matches expected by chance, estimated from the sources of other cases. Words that
 * several cases lack are common and prove nothing. A step called several times in one run gives
 * several cases of the same want; these count as one, and do not serve as other cases for each
 * other.
 */
export function sourceEvidence(
  cases: readonly CaseStudy[],
  reader: TextReader,
  sourceOf: (study: CaseStudy) => readonly string[],
): number {
  const wants = [...Map.groupBy(cases, ({ feedback }) => feedback.wanted).values()].map((same) => ({
    lacking: same.map(({ lacking }) => lacking).reduce((all, next) => all.intersection(next)),
    source: new Set(same.flatMap(sourceOf).flatMap((text) => [...reader.stems(text)])),
  }));
  const evidence = wants.map((want) => {
    const others = wants.filter((other) => other !== want);
    const own = [...want.lacking].filter(
      (stem) => !others.some(({ lacking }) => lacking.has(stem)),
    );
    const heldBy = (source: ReadonlySet<string>) => own.filter((stem) => source.has(stem)).length;
    const byChance = others.reduce((sum, { source }) => sum + heldBy(source), 0);
    return Math.min(4, heldBy(want.source)) - byChance / Math.max(1, others.length);
  });
  return evidence.reduce((sum, value) => sum + value, 0) / Math.sqrt(Math.max(1, wants.length));
}
