import type { Candidate } from "../../../../src/contract/index.ts";
import type { CandidateRecord } from "../../../../src/optimizer/candidate/candidate-record.ts";
import { combine } from "./combine.ts";
import type { MergeHistory, MergeProposal } from "./merge-proposal.ts";
import type { MergeTriple } from "./merge-triple.ts";
import { drawTriples } from "./merge-triple.ts";
import { sameIds } from "./same-ids.ts";
import type { CommonExample } from "./merge-subsample.ts";
import { mergeSubsample } from "./merge-subsample.ts";

export interface CommonAncestorMergeOptions {
  /** Maximum accepted merges per run. @default 5 */
  readonly maxMerges?: number;
  /** Minimum number of val examples on which both parents have a score. @default 5 */
  readonly overlapFloor?: number;
  /** Val examples on which the child is tried before all of val. @default 5 */
  readonly subsample?: number;
  /** Whether to skip merges that recreate an existing candidate. @default true */
  readonly skipsKnown?: boolean;
}

/**
 * Merges two candidates of the frontier over a common ancestor that scores no higher than either:
 * each component that only one of them changed is taken from that one. It runs after each iteration
 * in which reflection added a candidate, as long as merges are due; each such candidate earns one.
 *
 * As in gepa 0.1.4 (`proposer/merge.py`), except that ancestors scored 0 or less can be drawn,
 * `maxMerges` caps accepted merges and not only earned ones, existing candidates are not recreated,
 * and no example is repeated.
 */
export function commonAncestorMerge({
  maxMerges = 5,
  overlapFloor = 5,
  subsample = 5,
  skipsKnown = true,
}: CommonAncestorMergeOptions = {}): MergeProposal {
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

/** Whether the two gave the same child before, over any ancestor. */
function isProposed(
  { proposed }: MergeHistory,
  { parents }: MergeTriple,
  sources: readonly number[],
): boolean {
  return proposed.some((made) => sameIds(made.parents, parents) && sameIds(made.sources, sources));
}

function holds(held: CandidateRecord, components: Candidate): boolean {
  return components.every(({ value }, index) => value === held.components[index]?.value);
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
