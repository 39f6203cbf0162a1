import type { Candidate } from "../../../contract/index.ts";
import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { checkCount } from "../strategy/check-range.ts";
import { combine } from "./combine.ts";
import type { MergeHistory, MergeProposal } from "../strategy/merge-proposal.ts";
import type { MergeTriple } from "./merge-triple.ts";
import { drawTriples } from "./merge-triple.ts";
import { sameIds } from "./same-ids.ts";
import type { CommonExample } from "./merge-subsample.ts";
import { mergeSubsample } from "./merge-subsample.ts";

export interface CommonAncestorMergeOptions {
  /** Merges accepted in one run at most. @default 5 */
  readonly maxMerges?: number;
  /** Examples of val on which both parents must have a score. @default 5 */
  readonly overlapFloor?: number;
  /** Examples of val that the child is tried on before all of them. @default 5 */
  readonly subsample?: number;
  /** Whether what is a candidate already is not made again. @default true */
  readonly skipsKnown?: boolean;
}

/**
 * Merges two candidates of the frontier over an ancestor that neither is worse than: each component
 * that one of them alone changed is taken from it. After each iteration in which reflection brought
 * a candidate, as long as merges are due: each such candidate earns one.
 *
 * As in gepa 0.1.4 (`proposer/merge.py`), but ancestors scored 0 or less can be drawn, `maxMerges`
 * caps what is accepted and not what is earned alone, what is a candidate already is not made
 * again, and no example is repeated.
 */
export function commonAncestorMerge({
  maxMerges = 5,
  overlapFloor = 5,
  subsample = 5,
  skipsKnown = true,
}: CommonAncestorMergeOptions = {}): MergeProposal {
  checkCount("maxMerges", maxMerges);
  checkCount("overlapFloor", overlapFloor);
  checkCount("subsample", subsample);
  return {
    name: "common-ancestor",
    settings: { maxMerges, overlapFloor, subsample, skipsKnown },
    isEarned: ({ accepted }) => accepted < maxMerges,
    isDue: ({ due, accepted, isNewSince }) => isNewSince && due > 0 && accepted < maxMerges,
    propose: (view, history) => {
      const random = view.random("merge");
      for (const triple of drawTriples(view, history, random)) {
        const [ancestor, one, other] = [triple.ancestor, ...triple.parents].map(
          (id) => view.candidates[id],
        ) as [CandidateRecord, CandidateRecord, CandidateRecord];
        const combined = combine({ ancestor, one, other }, random);
        if (isProposed(history, triple, combined.sources)) continue;
        if (skipsKnown && view.candidates.some((held) => holds(held, combined.components))) {
          continue;
        }
        const common = commonExamples(view.val, one, other);
        if (common.length < overlapFloor) continue;
        const exampleIds = mergeSubsample(common, subsample, random);
        return { ...triple, ...combined, exampleIds };
      }
      return null;
    },
  };
}

/** Whether these two gave the same child before, over whichever ancestor. */
function isProposed(
  { proposed }: MergeHistory,
  { parents }: MergeTriple,
  sources: readonly number[],
): boolean {
  return proposed.some((made) => sameIds(made.parents, parents) && sameIds(made.sources, sources));
}

function holds(held: CandidateRecord, components: Candidate): boolean {
  return components.every(({ value }, place) => value === held.components[place]?.value);
}

function commonExamples(
  val: readonly string[],
  one: CandidateRecord,
  other: CandidateRecord,
): readonly CommonExample[] {
  return val.flatMap((id) => {
    const [ofOne, ofOther] = [one.selection.scores[id] ?? null, other.selection.scores[id] ?? null];
    return ofOne === null || ofOther === null ? [] : [{ id, gap: ofOne - ofOther }];
  });
}
