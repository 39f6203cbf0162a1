import type { RandomSource } from "../../../contract/index.ts";
import type { CandidateRecord } from "../../candidate-record.ts";
import { checkCount } from "../strategy/check-range.ts";
import type { SearchView } from "../strategy/strategy.ts";
import { combine } from "./combine.ts";
import type { MergedChild, MergeHistory, MergeProposal } from "./merge-proposal.ts";
import type { MergeTriple } from "./merge-triple.ts";
import { drawTriple } from "./merge-triple.ts";
import { mergeSubsample } from "./merge-subsample.ts";

export interface CommonAncestorMergeOptions {
  /** Merges accepted in one run at most. @default 5 */
  readonly maxMerges?: number;
  /** Examples of val on which both parents must have a score. @default 5 */
  readonly overlapFloor?: number;
  /** Examples of val that the child is tried on before all of them. @default 5 */
  readonly subsample?: number;
}

/**
 * Merges two candidates of the frontier over an ancestor that neither is worse than: each component that
 * one of them alone changed is taken from it. After each iteration in which reflection brought a
 * candidate, as long as merges are due: each such candidate earns one.
 *
 * As in gepa 0.1.4 (`proposer/merge.py`), but ancestors scored 0 or less can be drawn, `maxMerges` caps
 * what is accepted, what is a candidate already is not made again, and no example is repeated.
 */
export function commonAncestorMerge({
  maxMerges = 5,
  overlapFloor = 5,
  subsample = 5,
}: CommonAncestorMergeOptions = {}): MergeProposal {
  checkCount("maxMerges", maxMerges);
  checkCount("overlapFloor", overlapFloor);
  checkCount("subsample", subsample);
  return {
    name: "common-ancestor",
    settings: { maxMerges, overlapFloor, subsample },
    isEarned: ({ accepted }) => accepted < maxMerges,
    isDue: ({ due, accepted, isNewSince }) => isNewSince && due > 0 && accepted < maxMerges,
    propose: (view, history) => {
      const random = view.random("merge");
      for (let attempt = 0; attempt < attempts; attempt++) {
        const triple = drawTriple(view, history, random);
        const child = triple && childOf(view, history, { triple, overlapFloor, subsample, random });
        if (child !== null) return child;
      }
      return null;
    },
  };
}

const attempts = 10;

function childOf(
  { candidates, val }: SearchView,
  { proposed }: MergeHistory,
  {
    triple,
    overlapFloor,
    subsample,
    random,
  }: {
    readonly triple: MergeTriple;
    readonly overlapFloor: number;
    readonly subsample: number;
    readonly random: RandomSource;
  },
): MergedChild | null {
  const [one, other] = triple.parents.map((id) => candidates[id]) as [
    CandidateRecord,
    CandidateRecord,
  ];
  const { components, sources } = combine(
    { one, other, ancestor: candidates[triple.ancestor] as CandidateRecord },
    random,
  );
  const isSame = (earlier: MergedChild): boolean =>
    `${earlier.parents}/${earlier.sources}` === `${triple.parents}/${sources}`;
  if (proposed.some(isSame)) return null;
  const common = val.filter((id) => isScored(one, id) && isScored(other, id));
  if (common.length < overlapFloor) return null;
  const scoreOf = ({ selection }: CandidateRecord, id: string): number => selection.scores[id] ?? 0;
  const exampleIds = mergeSubsample(
    common.map((id) => ({ id, gap: scoreOf(one, id) - scoreOf(other, id) })),
    subsample,
    random,
  );
  return { ...triple, components, sources, exampleIds };
}

function isScored({ selection }: CandidateRecord, id: string): boolean {
  return typeof selection.scores[id] === "number";
}
