import type { Component } from "../contract/index.ts";
import { canonicalJson, componentId } from "../internal/index.ts";
import type { Artifact, ArtifactScore, Compiled } from "./file/artifact.ts";
import type { Drift } from "./load/drift.ts";
import { changed, changedHash } from "./load/drift.ts";
import { signatureDrift, signatureIn } from "./load/predictor-drift.ts";

/** The differences between two artifacts. `null` means that one of them lacks the value. */
export interface ArtifactDifference {
  /** Differences in program, predictors, LM, data and optimizer, by names and declarations. */
  readonly facts: readonly Drift[];
  /** Texts, demonstrations and parameters that differ. */
  readonly components: readonly {
    readonly was: Component | null;
    readonly now: Component | null;
  }[];
  /** All scores, including equal ones: a figure means little without its counterpart. */
  readonly scores: readonly {
    readonly split: ArtifactScore["split"];
    readonly metric: string;
    readonly was: ArtifactScore | null;
    readonly now: ArtifactScore | null;
  }[];
}

/**
 * Compares two artifacts, the older one first. They should, but need not, belong to the same
 * program.
 */
export function artifactDifference(
  { compiled: was }: Artifact,
  { compiled: now }: Artifact,
): ArtifactDifference {
  return {
    facts: factsOf(was, now),
    components: pairsOf(was.components, now.components, componentId)
      .map(([before = null, after = null]) => ({ was: before, now: after }))
      .filter((pair) => canonicalJson(pair.was) !== canonicalJson(pair.now)),
    scores: pairsOf(was.scores, now.scores, scoreKey).map(([before, after]) => {
      const { split, metric } = (before ?? after) as ArtifactScore;
      return { split, metric: metric.name, was: before ?? null, now: after ?? null };
    }),
  };
}

function scoreKey({ split, metric }: ArtifactScore): string {
  return `${split} ${metric.name} ${metric.version}`;
}

function factsOf(was: Compiled, now: Compiled): readonly Drift[] {
  const predictors = pairsOf(
    Object.entries(was.predictors),
    Object.entries(now.predictors),
    ([name]) => name,
  );
  return [
    ...changed("name of the program", was.program.name, now.program.name),
    ...changed("version of the program", was.program.version, now.program.version),
    ...changed("layout of prompts", was.promptLayout, now.promptLayout),
    ...changed("LM", was.lm, now.lm),
    ...changed("metric", was.metric, now.metric),
    ...changed("data set", nameOf(was.dataset), nameOf(now.dataset)),
    ...changedHash("data", was.dataset?.checksum ?? "", now.dataset?.checksum ?? ""),
    ...changed("optimizer", was.optimizer, now.optimizer),
    ...predictors.flatMap(([before, after]): readonly Drift[] => {
      const name = (before ?? after)?.[0] ?? "";
      const of = `predictor "${name}"`;
      const [old, held] = [before?.[1], after?.[1]];
      if (old === undefined || held === undefined) {
        return changed(of, old?.signature.name, held?.signature.name);
      }
      return [
        ...changed(`kind of ${of}`, old.kind, held.kind),
        ...changed(`driver of ${of}`, old.driver, held.driver),
        ...changed(`settings of ${of}`, old.settings, held.settings),
        ...signatureDrift(of, signatureIn(was, name, old), signatureIn(now, name, held)),
      ];
    }),
  ];
}

function nameOf(dataset: Compiled["dataset"]): string | null {
  return dataset === null ? null : [dataset.name, dataset.version].join(" ").trimEnd();
}

/**
 * Pairs items with equal keys, in the order of the first list, followed by items that only the
 * second has.
 */
function pairsOf<TItem>(
  left: readonly TItem[],
  right: readonly TItem[],
  keyOf: (item: TItem) => string,
): readonly (readonly [TItem | undefined, TItem | undefined])[] {
  const [lefts, rights] = [left, right].map(
    (items) => new Map(items.map((item) => [keyOf(item), item])),
  ) as [Map<string, TItem>, Map<string, TItem>];
  const keys = new Set([...lefts.keys(), ...rights.keys()]);
  return [...keys].map((key) => [lefts.get(key), rights.get(key)] as const);
}
