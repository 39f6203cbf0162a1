import type { Blame } from "espalier";
import type { Evidence } from "./evidence.ts";
import type { HanragLabels } from "./labels.ts";
import type { Cycle, HanragRun } from "./read-run.ts";

/**
 * Blames the predictor that words a search for what it finds: the decomposer for all parts of a
 * compound question, the refiner for each step of a complex one. Requires known needed passages.
 */
export function blameWording(
  run: HanragRun,
  labels: HanragLabels,
  evidence: Evidence,
): readonly Blame[] {
  if (evidence.needed.length === 0) return [];
  return run.hasCalled("decomposeQuestion")
    ? [blameDecomposer(labels, evidence)]
    : run.cycles.flatMap((cycle, index) =>
        cycle.isRefined ? [blameRefiner(cycle, run.cycles.slice(0, index), labels)] : [],
      );
}

function blameDecomposer(
  { decomposition = [] }: HanragLabels,
  { needed, neverFound }: Evidence,
): Blame {
  const found = needed.length - neverFound.length;
  const better = decomposition.map(({ question }) => `"${question}"`).join(", ");
  return {
    path: "decomposeQuestion",
    score: found / needed.length,
    text: [
      `The searches for the sub-questions found ${found} of ${needed.length} needed passages.`,
      ...(neverFound.length === 0 || better === "" ? [] : [`What has to be asked: ${better}.`]),
    ].join(" "),
  };
}

function blameRefiner(
  { path, question, found }: Cycle,
  before: readonly Cycle[],
  { relevant = {}, decomposition = [] }: HanragLabels,
): Blame {
  const known = new Set(before.flatMap((cycle) => cycle.read));
  const isNew = (id: string): boolean => (relevant[id] ?? 0) > 0 && !known.has(id);
  const isRepeated = before.some((cycle) => cycle.question === question);
  const isFruitful = !isRepeated && found.some(isNew);
  const next = decomposition.find(({ passageId = "" }) => isNew(passageId));
  return {
    path: `${path}/refineQuestion`,
    score: isFruitful ? 1 : 0,
    text: [
      isFruitful
        ? "The search for this seed question found a passage that was needed and not yet read."
        : isRepeated
          ? "This seed question had been asked before, and asking again finds the same."
          : "The search for this seed question found nothing that was needed and not yet read.",
      ...(isFruitful || next === undefined
        ? []
        : [`What had to be asked next: "${next.question}".`]),
    ].join(" "),
  };
}
