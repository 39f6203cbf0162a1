import type {
  Component,
  Demonstration,
  NearestDemonstrations,
  ParameterValue,
} from "../contract/index.ts";
import { canonicalJson } from "../internal/index.ts";
import type { Artifact, ArtifactScore, Compiled } from "./file/artifact.ts";
import { demosOf, nearestOf } from "./component-values.ts";
import type { Drift } from "./load/drift.ts";
import { changed, changedHash } from "./load/drift.ts";
import { signatureDrift, signatureIn } from "./load/predictor-drift.ts";

/** The differences between two artifacts. `null` means that one of them lacks the value. */
export interface ArtifactDifference {
  /** Differences in program, predictors, LM, data and optimizer, by names and declarations. */
  readonly facts: readonly Drift[];
  readonly texts: readonly {
    readonly kind: "instruction" | "fieldDescription" | "toolDescription";
    readonly path: string;
    readonly was: string | null;
    readonly now: string | null;
  }[];
  readonly demos: readonly {
    readonly path: string;
    readonly removed: readonly Demonstration[];
    readonly added: readonly Demonstration[];
    /** Number of demonstrations in both. */
    readonly kept: number;
    /** Whether their order differs. */
    readonly isReordered: boolean;
    /** How prompts choose among them, in words, if that differs. */
    readonly choice?: { readonly was: string; readonly now: string };
  }[];
  readonly parameters: readonly {
    readonly path: string;
    readonly was: ParameterValue | null;
    readonly now: ParameterValue | null;
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
  const paired = pairsOf(was.components, now.components, ({ kind, path }) => `${kind} ${path}`);
  const texts: ArtifactDifference["texts"][number][] = [];
  const parameters: ArtifactDifference["parameters"][number][] = [];
  for (const [before, after] of paired) {
    const { kind, path } = before ?? after ?? {};
    const values = { was: valueOf(before), now: valueOf(after) };
    if (path === undefined || canonicalJson(values.was) === canonicalJson(values.now)) continue;
    if (kind === "parameter") parameters.push({ path, ...values });
    if (kind === "instruction" || kind === "fieldDescription" || kind === "toolDescription") {
      texts.push({ kind, path, ...(values as { was: string | null; now: string | null }) });
    }
  }
  return {
    facts: factsOf(was, now),
    texts,
    demos: demosDifference(was, now),
    parameters,
    scores: pairsOf(was.scores, now.scores, scoreKey).map(([before, after]) => {
      const { split, metric } = (before ?? after) as ArtifactScore;
      return { split, metric: metric.name, was: before ?? null, now: after ?? null };
    }),
  };
}

function valueOf(component: Component | undefined): ParameterValue | null {
  return component === undefined || component.kind === "demos" ? null : component.value;
}

function scoreKey({ split, metric }: ArtifactScore): string {
  return `${split} ${metric.name} ${metric.version}`;
}

function demosDifference(was: Compiled, now: Compiled): ArtifactDifference["demos"] {
  const names = new Set([...Object.keys(was.predictors), ...Object.keys(now.predictors)]);
  return [...names].flatMap((path) => {
    const [before, after] = [was, now].map((compiled) =>
      demosOf(compiled, path).map((demo) => ({ demo, key: canonicalJson(demo) })),
    ) as [Keyed[], Keyed[]];
    const [old, held] = [before, after].map((demos) => new Set(demos.map(({ key }) => key))) as [
      Set<string>,
      Set<string>,
    ];
    const removed = before.filter(({ key }) => !held.has(key)).map(({ demo }) => demo);
    const added = after.filter(({ key }) => !old.has(key)).map(({ demo }) => demo);
    const [left, right] = [
      before.filter(({ key }) => held.has(key)),
      after.filter(({ key }) => old.has(key)),
    ];
    const isReordered = left.some(({ key }, index) => key !== right[index]?.key);
    const [wasChosen, nowChosen] = [was, now].map((of) => choiceText(nearestOf(of, path)));
    const choice = wasChosen !== nowChosen && { was: wasChosen ?? "", now: nowChosen ?? "" };
    if (removed.length + added.length === 0 && !isReordered && !choice) return [];
    return [{ path, removed, added, kept: left.length, isReordered, ...(choice && { choice }) }];
  });
}

function choiceText(nearest: NearestDemonstrations | null): string {
  if (nearest === null) return "all";
  const { k, by } = nearest;
  return `the ${k} nearest by ${by === "words" ? by : by.embedder.model}`;
}

interface Keyed {
  readonly demo: Demonstration;
  readonly key: string;
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
