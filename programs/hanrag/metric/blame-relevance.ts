import type { Blame } from "espalier";
import type { Evidence } from "./evidence.ts";
import type { Cycle, HanragRun } from "./read-run.ts";

/**
 * Blames each relevance judgement for its passage: a needed one that no step read, and one that was
 * read in its place, or beside it if the answer then went wrong.
 */
export function blameRelevance(
  { cycles }: HanragRun,
  { needed, dropped, isComplete }: Evidence,
  { isRight }: { readonly isRight: boolean },
): readonly Blame[] {
  if (needed.length === 0) return [];
  const isNeeded = new Set(needed);
  const isDropped = new Set(dropped);
  return cycles.flatMap((cycle) =>
    cycle.judged.flatMap(({ path, id, isRelevant }): readonly Blame[] => {
      if (isNeeded.has(id)) return ofNeeded(path, { isRelevant, isDropped: isDropped.has(id) });
      if (!cycle.read.includes(id)) return [];
      if (pushedOut(cycle, isDropped)) {
        return [
          {
            path,
            score: 0,
            text: "This passage is not needed, and took the place of one that is.",
          },
        ];
      }
      if (isRight || !isComplete) return [];
      return [
        {
          path,
          text: "This passage is not needed; the generator read it, and the answer was wrong.",
        },
      ];
    }),
  );
}

function ofNeeded(
  path: string,
  { isRelevant, isDropped }: { readonly isRelevant: boolean; readonly isDropped: boolean },
): readonly Blame[] {
  if (isRelevant) return [{ path, score: 1, text: "Right: the answer needs this passage." }];
  // One step may drop a passage that another step keeps.
  if (!isDropped) return [];
  return [
    {
      path,
      score: 0,
      text: "The answer needs this passage, but it was judged irrelevant, and no step read it.",
    },
  ];
}

/** Whether a passage that no step read was judged relevant here and merely came too late. */
function pushedOut({ judged, read }: Cycle, isDropped: ReadonlySet<string>): boolean {
  return judged.some(({ id, isRelevant }) => isRelevant && isDropped.has(id) && !read.includes(id));
}
