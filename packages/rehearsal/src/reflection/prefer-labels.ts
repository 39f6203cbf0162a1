import type { TextReader } from "../text/index.ts";
import type { CaseStudy } from "./cases/case-study.ts";
import { isKnown } from "./word-lesson.ts";

/**
 * A sentence that prefers the expected label, if another one was written in its place more than
 * once and never the other way round.
 */
export function preferLabels(
  cases: readonly CaseStudy[],
  vocabulary: ReadonlySet<string>,
  reader: TextReader,
): readonly string[] {
  const confusions = new Map<string, { expected: string; written: string; count: number }>();
  for (const { feedback, outputs } of cases) {
    const written = outputs.map(labelIn).find((label) => label !== undefined);
    const expected =
      (written === undefined ? undefined : correctedLabel(feedback.remarks, written)) ??
      labelIn(feedback.wanted);
    if (expected === undefined || written === undefined || expected === written) continue;
    const key = `${expected}\n${written}`;
    const count = (confusions.get(key)?.count ?? 0) + 1;
    confusions.set(key, { expected, written, count });
  }
  const verb = ["Prefer", "Choose", "Answer", "Label", "Give", "Use"].find((word) =>
    isKnown(word, vocabulary, reader),
  );
  if (verb === undefined) return [];
  return [...confusions.values()]
    .filter(
      ({ expected, written, count }) =>
        count >= 2 && (confusions.get(`${written}\n${expected}`)?.count ?? 0) === 0,
    )
    .map(({ expected, written }) => `${verb} "${expected}" rather than "${written}".`);
}

/**
 * The label that a remark gives instead of the written one: "it is harbour, but was taken for
 * quay", "expected harbour, got quay", "should have been harbour, not quay".
 */
function correctedLabel(remarks: string, written: string): string | undefined {
  const label = "[\"'`]?([\\p{L}_-]{2,30})[\"'`]?";
  // Labels consist of letters, marks and dashes, none of which is special in a pattern.
  const wrong = `["'\`]?${written}["'\`]?`;
  const forms = [
    `\\bis (?:an? )?${label},? (?:but|and) (?:was|is|has been)?[^.\\n]{0,40}?\\b(?:for|as|called|labelled) ${wrong}`,
    `\\b[Ee]xpected:? ${label},? (?:but )?(?:got|was|not|instead of)[^.\\n]{0,12}? ${wrong}`,
    `\\bshould (?:be|have been) (?:an? )?${label},? (?:not|instead of|rather than) ${wrong}`,
    `\\b${wrong},? (?:but )?(?:should|ought to) (?:be|have been) (?:an? )?${label}`,
    `${wrong},? expected ${label}`,
  ];
  for (const form of forms) {
    const found = new RegExp(form, "u").exec(remarks)?.[1];
    if (found !== undefined && found !== written) return found;
  }
  return undefined;
}

/** A single word, as labels are. */
function labelIn(text: string): string | undefined {
  const plain = text.trim().replace(/^["'`]|(?<!["'`.])["'`.]+$/g, "");
  return /^[\p{L}_-]{2,30}$/u.test(plain) ? plain : undefined;
}
