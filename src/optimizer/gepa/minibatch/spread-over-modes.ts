import type { FailureMode, KnownModes } from "../failure-mode/failure-modes.ts";
import type { Lesson } from "../lesson/lessons.ts";

/**
 * Lessons in turn from one failure mode after the other, the one with the most lessons first, and
 * `examples` of each, as far as it has them; more only where these are fewer than `least`. Those of
 * no mode come last in each turn, as many as there are. Within a mode, lessons with feedback of
 * their own come before those that repeat it, else in the given order.
 */
export function spreadOverModes(
  lessons: readonly Lesson[],
  { modeOf, examples }: Pick<KnownModes, "modeOf" | "examples">,
  {
    feedbackIn,
    least,
  }: { readonly feedbackIn: (lesson: Lesson) => string; readonly least: number },
): readonly Lesson[] {
  const byMode: ReadonlyMap<FailureMode | null, readonly Lesson[]> = Map.groupBy(
    lessons,
    ({ rollout }) => modeOf(rollout),
  );
  const groups = [...byMode]
    .toSorted(([one, first], [other, second]) =>
      one === null ? 1 : other === null ? -1 : second.length - first.length,
    )
    .map(([mode, held]) => ({ mode, held: distinctFirst(held, feedbackIn) }));
  const longest = Math.max(0, ...groups.map(({ held }) => held.length));
  const spread: Lesson[] = [];
  for (let turn = 0; turn < longest; turn++) {
    for (const { mode, held } of groups) {
      const isWanted = turn < examples || mode === null || spread.length < least;
      if (isWanted) spread.push(...held.slice(turn, turn + 1));
    }
  }
  return spread;
}

function distinctFirst(
  lessons: readonly Lesson[],
  feedbackIn: (lesson: Lesson) => string,
): readonly Lesson[] {
  const firstOf = new Map<string, Lesson>();
  for (const lesson of lessons) {
    const feedback = feedbackIn(lesson);
    if (!firstOf.has(feedback)) firstOf.set(feedback, lesson);
  }
  const distinct = new Set(firstOf.values());
  return [...distinct, ...lessons.filter((lesson) => !distinct.has(lesson))];
}
