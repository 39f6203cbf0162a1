import type { Blame } from "espalier";
import { exactMatchOf } from "espalier/metric";
import type { Evidence } from "./evidence.ts";
import type { HanragLabels } from "./labels.ts";
import type { Cycle, HanragRun } from "./read-run.ts";

/**
 * Judges each decision of the ending discriminator: too early, too late, or right if that is known.
 */
export function blameEnding(
  { cycles, endings }: HanragRun,
  labels: HanragLabels,
  { evidence, isRight }: { readonly evidence: Evidence; readonly isRight: boolean },
): readonly Blame[] {
  return endings.flatMap(({ path, stepsSolved, isSolved }): readonly Blame[] => {
    const answeredAt = stepWithAnswer(cycles.slice(0, stepsSolved), labels.answers);
    if (isSolved) {
      if (isRight) return [{ path, score: 1, text: "Right: the solved steps were enough." }];
      if (answeredAt > 0) return [];
      const open = stillOpen(stepsSolved, labels, evidence);
      return open === undefined
        ? []
        : [{ path, score: 0, text: `Too early, after ${counted(stepsSolved)}: ${open}` }];
    }
    if (answeredAt > 0) {
      return [{ path, score: 0, text: `Too late: the answer was known after step ${answeredAt}.` }];
    }
    return isRight && stepsSolved < cycles.length
      ? [{ path, score: 1, text: "Right: the answer was not known yet." }]
      : [];
  });
}

/** The first step whose answer is the final answer, from 1; 0 if there is none. */
function stepWithAnswer(cycles: readonly Cycle[], answers: readonly string[]): number {
  return cycles.findIndex(({ answer }) => exactMatchOf(answer, answers) === 1) + 1;
}

function stillOpen(
  stepsSolved: number,
  { decomposition = [] }: HanragLabels,
  { isComplete, needed }: Evidence,
): string | undefined {
  const open = decomposition.slice(stepsSolved).map(({ question }) => `"${question}"`);
  if (open.length > 0) return `it was still to be found out ${open.join(", then ")}.`;
  if (needed.length > 0 && !isComplete) return "passages that the answer needs had not been read.";
  return undefined;
}

function counted(steps: number): string {
  return `${steps} solved ${steps === 1 ? "step" : "steps"}`;
}
