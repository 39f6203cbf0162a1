import { patience } from "../strategy/patience.ts";
import type { Course } from "../state/course.ts";
import type { Tools } from "../state/tools.ts";
import { missingOf } from "../state/kept-for-best.ts";
import { completeBest } from "./confirm-best.ts";
import { measureFinalists } from "./measure-finalists.ts";

/** Rounds of `measureFinalists` each time. */
const mostRounds = 4;

/**
 * Doubts the best candidate of a search that finds nothing better any more: it may be worse on the
 * rest of val, or have been lucky where scores vary, so that no child can beat it. Completing it
 * takes at most half of what is left of the budget.
 */
export async function doubtStalled(course: Course, tools: Tools): Promise<void> {
  const { best, candidates, iteration } = course.state();
  const idleFor = iteration - (candidates.at(-1)?.iteration ?? 0);
  if (idleFor < patience) return;
  if (2 * missingOf(best, tools) <= tools.run.rolloutsLeft(0)) {
    await completeBest(course, tools);
  }
  if (idleFor % patience === 0) await measureFinalists(course, tools, { mostRounds });
}
