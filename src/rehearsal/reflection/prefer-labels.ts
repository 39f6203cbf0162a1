import type { TextReader } from "../text/index.ts";
import type { CaseStudy } from "./case-study.ts";
import { isKnown } from "./word-lesson.ts";

/**
 * Where one label was written and another expected, more than once and not the other way round: a
 * sentence that prefers the expected one.
 */
export function preferLabels(
  cases: readonly CaseStudy[],
  vocabulary: ReadonlySet<string>,
  reader: TextReader,
): readonly string[] {
  const confusions = new Map<string, { expected: string; written: string; count: number }>();
  for (const { feedback, outputs } of cases) {
    const expected = labelIn(feedback.wanted);
    const written = outputs.map(labelIn).find((label) => label !== undefined);
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

/** One word, as labels are. */
function labelIn(text: string): string | undefined {
  const plain = text.trim().replace(/^["'`]|["'`.]+$/g, "");
  return /^[\p{L}_-]{2,30}$/u.test(plain) ? plain : undefined;
}
