import type { Component, Demonstration } from "../../../contract/index.ts";
import { contentHash } from "../../../internal/index.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { Features, ScoreModel } from "../model/score-model.ts";
import type { Lever, Setting } from "./lever.ts";
import type { Similarity } from "./text-similarity.ts";

type DemonstrationsComponent = Extract<Component, { readonly kind: "demos" }>;

/** Demonstrations of a predictor, from its own runs on train. */
export interface DemonstrationLever extends Lever {
  /** Adds what the predictor did in a run that went well. */
  learn(rollout: Rollout): void;
}

export interface DemonstrationRules {
  readonly similarity: Similarity;
  readonly scale: number;
  /** Maximum number in a prompt. */
  readonly most: number;
}

interface Pooled {
  readonly demonstration: Demonstration;
  /** Place of the effect that it has whatever is asked. */
  readonly credit: number;
  /** Number of runs that came to these outputs. */
  readonly runs: number;
}

/** Share of what is left uncovered that a demonstration of the very question would cover. */
const coveredBySame = 0.8;

/**
 * The model sees how many demonstrations are shown, which, and how well they cover an example: how
 * alike its input and theirs are.
 */
export function demonstrationLever(
  component: DemonstrationsComponent,
  model: ScoreModel,
  { similarity, scale, most }: DemonstrationRules,
): DemonstrationLever {
  const count = model.addFeature({ mean: -0.02 * scale, deviation: 0.02 * scale });
  const coverage = model.addFeature({ mean: 0.2 * scale, deviation: 0.4 * scale });
  const initial: Setting = { component, key: "own", featuresOn: () => [] };
  // By example, then by outputs.
  const pool = new Map<string, Map<string, Pooled>>();

  const settingOf = (shown: readonly Pooled[]): Setting => {
    if (shown.length === 0) return initial;
    const value = shown.map(({ demonstration }) => demonstration);
    return {
      component: { ...component, value },
      key: contentHash(value.map(({ exampleId, outputs }) => [exampleId, outputs])),
      featuresOn: (exampleId): Features => {
        // A predictor is not shown the example that it is asked.
        const others = shown.filter(({ demonstration: { exampleId: id } }) => id !== exampleId);
        const uncovered = others.reduce(
          (left, one) => left * uncoveredBy(one, exampleId, similarity),
          1,
        );
        return [
          [count, others.length],
          [coverage, 1 - uncovered],
          ...others.map(({ credit }) => [credit, 1] as const),
        ];
      },
    };
  };

  return {
    initial,
    learn: ({ exampleId, lesson }) => {
      const step = lesson?.steps.find(
        ({ predictor, outputs }) => predictor === component.path && outputs !== null,
      );
      if (step === undefined || step.outputs === null) return;
      const { inputs, outputs } = step;
      const ofExample = pool.get(exampleId) ?? new Map<string, Pooled>();
      pool.set(exampleId, ofExample);
      const key = contentHash(outputs);
      const before = ofExample.get(key) ?? {
        demonstration: { exampleId, inputs, outputs },
        credit: model.addFeature({ mean: 0, deviation: 0.15 * scale }),
        runs: 0,
      };
      ofExample.set(key, { ...before, runs: before.runs + 1 });
    },
    best: (effects, exampleIds) => {
      const [ofCount, ofCoverage] = [effects[count] as number, effects[coverage] as number];
      const left = new Set(agreedIn(pool));
      const shown: Pooled[] = [];
      let uncovered = exampleIds.map(() => 1);
      while (shown.length < most) {
        let [best, mostGained]: [Pooled | undefined, number] = [undefined, 0];
        for (const one of left) {
          let covered = 0;
          for (const [place, share] of uncovered.entries()) {
            covered += share * (1 - uncoveredBy(one, exampleIds[place] ?? "", similarity));
          }
          const onAverage = (ofCoverage * covered) / exampleIds.length;
          const gained = onAverage + ofCount + (effects[one.credit] as number);
          if (gained > mostGained) [best, mostGained] = [one, gained];
        }
        if (best === undefined) break;
        const added = best;
        shown.push(added);
        left.delete(added);
        uncovered = uncovered.map(
          (share, place) => share * uncoveredBy(added, exampleIds[place] ?? "", similarity),
        );
      }
      return settingOf(shown);
    },
    drawn: (random) => {
      const all = agreedIn(pool);
      return settingOf(random.sample(all, Math.min(all.length, random.below(most + 1))));
    },
  };
}

/**
 * One demonstration for each example: of several outputs those that its runs came to most often. A
 * step that was wrong, in a run that went well by luck, is seldom wrong in the same way twice.
 */
function agreedIn(pool: ReadonlyMap<string, ReadonlyMap<string, Pooled>>): readonly Pooled[] {
  return [...pool.values()].flatMap((ofExample) => {
    let best: Pooled | undefined;
    for (const one of ofExample.values()) if (one.runs > (best?.runs ?? 0)) best = one;
    return best ?? [];
  });
}

function uncoveredBy({ demonstration }: Pooled, asked: string, similarity: Similarity): number {
  return 1 - coveredBySame * similarity(demonstration.exampleId, asked);
}
