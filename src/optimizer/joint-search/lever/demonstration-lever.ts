import type { Component, Demonstration } from "../../../contract/index.ts";
import { mayShow } from "../../../contract/index.ts";
import { contentHash } from "../../../internal/index.ts";
import type { DemonstrationRules, PredictorDemonstration } from "../../demonstrations/index.ts";
import { demonstrationsOf, unblamed } from "../../demonstrations/index.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { ScoreModel } from "../model/score-model.ts";
import type { Features } from "../model/observation.ts";
import type { Lever, Setting } from "./lever.ts";
import type { Similarity } from "./text-lever.ts";

type DemonstrationsComponent = Extract<Component, { readonly kind: "demos" }>;

/** Demonstrations of a predictor, and what is left without each of them. */
export interface DemonstrationSetting extends Setting {
  readonly component: DemonstrationsComponent;
  /** The setting without each of those that it learnt, in their order. */
  leaveOneOut(): readonly (readonly [Demonstration, Setting])[];
}

/** Demonstrations of a predictor, from its own runs on train, and from labels where they failed. */
export interface DemonstrationLever extends Lever {
  readonly initial: DemonstrationSetting;
  /** Adds what the predictor did in a run that went well, or by labels should have done. */
  learn(rollout: Rollout): void;
}

export interface DemonstrationLeverOptions {
  readonly similarity: Similarity;
  readonly scale: number;
  /** Maximum number in a prompt. */
  readonly most: number;
  readonly rules: Omit<DemonstrationRules, "round">;
  /** What labels say of a run on train. @default nothing */
  readonly labelled?: (rollout: Rollout) => readonly PredictorDemonstration[];
}

interface Pooled {
  readonly predictor: string;
  readonly demonstration: Demonstration;
  /** Place of the effect that it has whatever is asked. */
  readonly credit: number;
  /** Number of runs that came to these outputs; labels are none. */
  readonly runs: number;
  /** Whether feedback blamed it in every one of them. */
  readonly isBlamed: boolean;
}

/** Share of what is left uncovered that a demonstration of the very question would cover. */
const coveredBySame = 0.8;

/**
 * The model sees how many demonstrations are shown, which, and how well they cover an example: how
 * alike its input and theirs are. Where the program has demonstrations of its own, it also sees
 * whether they are gone.
 */
export function demonstrationLever(
  component: DemonstrationsComponent,
  model: ScoreModel,
  { similarity, scale, most, rules, labelled }: DemonstrationLeverOptions,
): DemonstrationLever {
  const { kind, path: predictor, value: own } = component;
  const count = model.addFeature({ mean: -0.02 * scale, deviation: 0.02 * scale });
  const coverage = model.addFeature({ mean: 0, deviation: 0.4 * scale, hope: 0.2 * scale });
  const ownGone =
    own.length === 0 ? undefined : model.addFeature({ mean: 0, deviation: 0.2 * scale });
  const initial: DemonstrationSetting = {
    component,
    key: "own",
    featuresOn: () => [],
    leaveOneOut: () => [],
  };
  // By example, then by inputs and outputs.
  const pool = new Map<string, Map<string, Pooled>>();

  const settingOf = (shown: readonly Pooled[]): DemonstrationSetting => {
    if (shown.length === 0 && ownGone === undefined) return initial;
    const value = shown.map(({ demonstration }) => demonstration);
    return {
      component: { kind, path: predictor, value },
      key: contentHash(value.map(({ exampleId, outputs }) => [exampleId, outputs])),
      featuresOn: (exampleId): Features => {
        const example = { exampleId, cluster: rules.clusterOf?.(exampleId) };
        const others = shown.filter(({ demonstration }) => mayShow(demonstration, example));
        const uncovered = others.reduce(
          (left, one) => left * uncoveredBy(one, exampleId, similarity),
          1,
        );
        return [
          ...(ownGone === undefined ? [] : [[ownGone, 1] as const]),
          [count, others.length],
          [coverage, 1 - uncovered],
          ...others.map(({ credit }) => [credit, 1] as const),
        ];
      },
      leaveOneOut: () =>
        shown.map((one) => [one.demonstration, settingOf(shown.filter((other) => other !== one))]),
    };
  };

  return {
    initial,
    learn: (rollout) => {
      const { exampleId } = rollout;
      const ofThis = (all: readonly PredictorDemonstration[]) =>
        all.filter((one) => one.predictor === predictor);
      const done = ofThis(demonstrationsOf(rollout, rules));
      const isRun = done.length > 0;
      for (const { demonstration, isBlamed = false } of isRun
        ? done
        : ofThis(labelled?.(rollout) ?? [])) {
        const ofExample = pool.get(exampleId) ?? new Map<string, Pooled>();
        pool.set(exampleId, ofExample);
        const key = contentHash(demonstration.outputs);
        const before = ofExample.get(key) ?? {
          predictor,
          demonstration,
          credit: model.addFeature({ mean: 0, deviation: 0.15 * scale }),
          runs: 0,
          isBlamed: true,
        };
        ofExample.set(key, {
          ...before,
          runs: before.runs + Number(isRun),
          isBlamed: before.isBlamed && isBlamed,
        });
      }
    },
    best: (effects, exampleIds) => {
      const [ofCount, ofCoverage] = [effects[count] as number, effects[coverage] as number];
      const left = new Set(agreedIn(pool));
      const shown: Pooled[] = [];
      let gain = ownGone === undefined ? 0 : (effects[ownGone] as number);
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
        gain += mostGained;
        left.delete(added);
        uncovered = uncovered.map(
          (share, place) => share * uncoveredBy(added, exampleIds[place] ?? "", similarity),
        );
      }
      return gain > 0 ? settingOf(shown) : initial;
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
  const all = unblamed([...pool.values()].flatMap((ofExample) => [...ofExample.values()]));
  const byExample = Map.groupBy(all, ({ demonstration }) => demonstration.exampleId);
  return [...byExample.values()].map((ofExample) =>
    ofExample.reduce((best, one) => (one.runs > best.runs ? one : best)),
  );
}

function uncoveredBy({ demonstration }: Pooled, asked: string, similarity: Similarity): number {
  return 1 - coveredBySame * similarity(demonstration.exampleId, asked);
}
