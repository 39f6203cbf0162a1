import type { CandidateRecord } from "../../candidate/candidate-record.ts";
import { EspalierError } from "../../../errors/index.ts";
import { withoutDominated } from "./without-dominated.ts";

/**
 * What candidates are compared on, one by one: each val example, each objective's mean, both, or
 * each objective on each example. As in gepa 0.1.4.
 */
export type FrontierKind = "instance" | "objective" | "hybrid" | "cartesian";

export const frontierKinds: readonly FrontierKind[] = [
  "instance",
  "objective",
  "hybrid",
  "cartesian",
];

/** The best score at one thing compared, and the candidates that reach it. */
export interface Front {
  readonly key: string;
  readonly best: number;
  /** Ascending. */
  readonly ids: readonly number[];
}

/** Candidates that are best at something. */
export interface Frontier {
  readonly kind: FrontierKind;
  fronts(): readonly Front[];
  /** Costs one look at each thing compared. Ids must ascend. */
  add(candidate: Pick<CandidateRecord, "id" | "selection">): void;
  /** `frequenciesIn` its fronts, recomputed only after an `add`. */
  frequencies(valueOf: (id: number) => number): ReadonlyMap<number, number>;
}

export function frontier(kind: FrontierKind): Frontier {
  const fronts = new Map<string, { key: string; best: number; ids: number[] }>();
  let frequencies: ReadonlyMap<number, number> | undefined;
  return {
    kind,
    fronts: () => [...fronts.values()],
    add: (candidate) => {
      frequencies = undefined;
      compare(candidate, kind, (key, score) => {
        const held = fronts.get(key);
        if (held === undefined || score > held.best) {
          fronts.set(key, { key, best: score, ids: [candidate.id] });
        } else if (score === held.best) held.ids.push(candidate.id);
      });
    },
    frequencies: (valueOf) => {
      if (frequencies !== undefined) return frequencies;
      frequencies = frequenciesIn(
        [...fronts.values()].map(({ ids }) => ids),
        valueOf,
      );
      return frequencies;
    },
  };
}

/**
 * The number of fronts that each candidate is in, after removing, worst first, candidates that no
 * front needs; in the order in which the fronts name them.
 */
export function frequenciesIn(
  fronts: readonly (readonly number[])[],
  valueOf: (id: number) => number,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const id of withoutDominated(fronts, valueOf).flat()) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function compare(
  { id, selection }: Pick<CandidateRecord, "id" | "selection">,
  kind: FrontierKind,
  at: (key: string, score: number) => void,
): void {
  const { scores, objectives, objectiveScores } = selection;
  if (kind !== "instance" && (objectives === undefined || objectiveScores === undefined)) {
    throw new EspalierError({
      code: "option-invalid",
      problem: `Frontier \`${kind}\` compares objectives, but the metric returned none`,
      expected: "scores with `objectives`, or frontier `instance`",
      got: `candidate ${id} without objectives`,
    });
  }
  if (kind === "instance" || kind === "hybrid") {
    for (const exampleId of Object.keys(scores)) {
      const score = scores[exampleId] ?? null;
      if (score !== null) at(`example\n${exampleId}`, score);
    }
  }
  if (kind === "objective" || kind === "hybrid") {
    for (const [objective, mean] of Object.entries(objectives ?? {})) {
      at(`objective\n${objective}`, mean);
    }
  }
  if (kind === "cartesian") {
    for (const [exampleId, ofExample] of Object.entries(objectiveScores ?? {})) {
      for (const [objective, score] of Object.entries(ofExample)) {
        at(`example\n${exampleId}\n${objective}`, score);
      }
    }
  }
}
