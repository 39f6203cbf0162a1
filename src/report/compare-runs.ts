import type { SplitName, Trainset } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import {
  checkCount,
  deepFreeze,
  imageDataIn,
  imagePlaceholder,
  mapTexts,
} from "../internal/index.ts";
import { driftWords } from "../statistics/index.ts";
import { mockLabel } from "../mock/index.ts";
import { contrasts } from "./contrasts.ts";
import type { ComparedSource } from "./data/compared-source.ts";
import type { ExampleTable } from "./source/example-table.ts";
import { exampleTable } from "./source/example-table.ts";
import { headline } from "./headline.ts";
import type { ReplayedRollout } from "./data/replayed-rollout.ts";
import type { ComparedExample, RunComparison, Stratification } from "./data/run-comparison.ts";
import { sourceGroups } from "./source-groups.ts";
import { artifactSource, resultSource } from "./source/other-sources.ts";
import { runSource } from "./source/run-source.ts";
import type { SourceGiven } from "./source/source-given.ts";
import { labelTexts } from "../trainset/index.ts";

export interface CompareRunsOptions {
  /**
   * Adds inputs, labels, clusters and strata. Without it, examples are known by their ids alone,
   * and intervals of runs treat them as independent.
   */
  readonly trainset?: Trainset;
  /** For bootstraps and permutation tests of contrasts; 0 omits intervals. @default 10_000 */
  readonly resamples?: number;
  /** Replayed runs to carry along; see `replayRollouts`. @default none */
  readonly rollouts?: readonly ReplayedRollout[];
}

/**
 * Puts runs, results and artifacts side by side. Pure: the same sources give the same value. Takes
 * time linear in the size of what was read.
 *
 * @example
 * const history = readRunHistory(".espalier/runs/one");
 * const { headline } = compareRuns([{ kind: "run", path: "one", history }]);
 * @throws EspalierError `comparison-invalid` without a source, or where the trainset is another one
 *   than that of a source; `option-invalid`
 */
export function compareRuns(
  given: readonly SourceGiven[],
  { trainset, resamples = 10_000, rollouts = [] }: CompareRunsOptions = {},
): RunComparison {
  checkCount("resamples", resamples, 0);
  if (given.length === 0) throw nothingGiven();
  if (trainset) checkTrainset(given, trainset);
  const table = tableOf(given, trainset);
  const keys = sourceKeys(given.map(({ path }) => path));
  const sources = given.map((one, index): ComparedSource => {
    const at = { key: keys[index] ?? "", table };
    if (one.kind === "run") return runSource(one, at);
    return one.kind === "result" ? resultSource(one, at) : artifactSource(one, at);
  });
  const { examples } = table;
  const strata = stratify(examples);
  const groups = sourceGroups(sources);
  const found = contrasts({ sources, examples, strata, groups }, { resamples });
  const comparison: Omit<RunComparison, "headline"> = {
    format: "espalier-comparison/1",
    sources,
    examples,
    strata,
    groups,
    contrasts: found.contrasts,
    rollouts,
    ...(found.incomparable.length > 0 && { incomparable: found.incomparable }),
    notes: notesOn(sources, trainset),
  };
  return deepFreeze({ ...withThumbnails(comparison), headline: headline(comparison) });
}

function tableOf(given: readonly SourceGiven[], trainset: Trainset | undefined): ExampleTable {
  const mentions: Record<SplitName, Set<string>> = {
    train: new Set(),
    val: new Set(),
    test: new Set(),
  };
  const clusters = new Map<string, string>();
  for (const one of given) {
    if (one.kind === "run") {
      for (const { selection } of one.history.recorded.candidates) {
        const { scores, objectiveScores = {} } = selection;
        for (const id of Object.keys({ ...scores, ...objectiveScores })) mentions.val.add(id);
      }
      for (const scores of Object.values(one.history.reported.scores)) {
        for (const id of Object.keys(scores)) mentions.test.add(id);
      }
      for (const moment of one.history.moments) {
        if (moment.kind !== "evaluated") continue;
        for (const id of Object.keys(moment.scores)) mentions[moment.split].add(id);
      }
    }
    if (one.kind === "result") {
      for (const { exampleId, cluster } of one.result.evaluation.rows) {
        mentions[one.result.split].add(exampleId);
        clusters.set(exampleId, cluster);
      }
    }
  }
  return exampleTable(mentions, { trainset, clusters });
}

function notesOn(
  sources: readonly ComparedSource[],
  trainset: Trainset | undefined,
): readonly string[] {
  const isAlone = trainset === undefined && sources.some(({ kind }) => kind === "run");
  const estimated = sources.filter(
    ({ candidates, best }) => candidates[best ?? -1]?.seen !== undefined,
  );
  return [
    ...(isAlone
      ? [
          "The study was not given (--study), so inputs, labels and clusters are missing: intervals treat examples of one cluster, such as turns of one conversation, as independent.",
        ]
      : []),
    ...[...Map.groupBy(sources, ({ mocks }) => mockLabel(mocks).warning)].flatMap(
      ([warning, alike]) => {
        if (warning === "") return [];
        // Who differs from the others is named.
        const who =
          alike.length === sources.length ? "" : `${alike.map(({ key }) => key).join(", ")}: `;
        return [`${who}${warning}.`];
      },
    ),
    ...(estimated.length > 0
      ? [
          `The values of ${estimated.map(({ key }) => key).join(", ")} on val are estimates, including in means over seeds.`,
        ]
      : []),
    ...sources.flatMap((source) =>
      source.kind !== "run"
        ? []
        : source.test.flatMap(({ drift }) =>
            drift ? [`${source.key}, report on test: ${driftWords(drift)}.`] : [],
          ),
    ),
    ...sources.flatMap((source) =>
      source.kind === "run" && source.end === undefined ? [`${source.key} has not ended.`] : [],
    ),
  ];
}

function nothingGiven(): EspalierError {
  return new EspalierError({
    code: "comparison-invalid",
    problem: "There is nothing to compare",
    expected: "at least one run, result or artifact",
    got: "none",
  });
}

function checkTrainset(given: readonly SourceGiven[], { name, checksum }: Trainset): void {
  for (const one of given) {
    const made = trainsetOf(one)?.checksum;
    if (made === undefined || made === checksum) continue;
    throw new EspalierError({
      code: "comparison-invalid",
      problem: `The trainset \`${name}\` differs from the one that a source used`,
      where: one.path,
      expected: `checksum ${made.slice(0, 12)}`,
      got: checksum.slice(0, 12),
      fix: "Give the study and the trainset of the run, or leave them out.",
    });
  }
}

/** Keys for sources by their paths: the last part, with a number behind where two are alike. */
function sourceKeys(paths: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return paths.map((path) => {
    const parts = path.split(/[\\/]/).filter((part) => part !== "" && part !== ".");
    const last = (parts.at(-1) ?? "").replace(/\.json$/, "");
    const name = last.replaceAll(/[^\w.-]+/g, "-").slice(0, 80) || "source";
    let key = name;
    for (let number = 2; taken.has(key); number++) key = `${name}-${number}`;
    taken.add(key);
    return key;
  });
}

/** The data that a source was made with, as far as the source says. */
export function trainsetOf(
  one: SourceGiven,
): { readonly name: string; readonly checksum?: string } | undefined {
  if (one.kind === "result") return one.result.trainset;
  if (one.kind === "artifact") return one.artifact.compiled.dataset ?? undefined;
  const { trainset } = one.history.recorded.run as {
    readonly trainset?: { readonly name: string; readonly checksum?: string };
  };
  return trainset;
}

/** More values than this are no groups to break a difference down by. */
const maxGroups = 24;

/**
 * Every label that divides the examples into groups: at least two and at most 24 values, texts,
 * numbers, truth values or lists of them, with two examples a group on average.
 */
function stratify(examples: readonly ComparedExample[]): readonly Stratification[] {
  const labelled = examples.flatMap(({ labels }) =>
    typeof labels === "object" && labels !== null && !Array.isArray(labels)
      ? Object.keys(labels)
      : [],
  );
  return [...new Set(labelled)].flatMap((label) => {
    const values = examples.map(({ labels }) => labelTexts({ labels }, label));
    const groups = [...new Set(values.flat())].toSorted((one, other) =>
      one.localeCompare(other, "en", { numeric: true }),
    );
    const held = values.filter(({ length }) => length > 0).length;
    if (groups.length < 2 || groups.length > maxGroups || held < 2 * groups.length) return [];
    const numbers = new Map(groups.map((group, number) => [group, number]));
    const of = values.map((texts) => {
      const places = [...new Set(texts.flatMap((text) => numbers.get(text) ?? []))];
      const [only] = places;
      return only === undefined ? null : places.length === 1 ? only : places;
    });
    return [{ label, groups, of }];
  });
}

/** A picture that is shown, in characters of its `data:` URL: about 64 KiB as a file. */
const longestShown = 90_000;
/** All of them together. */
const longestTogether = 8_000_000;

/**
 * The comparison with placeholders for its pictures, and those that are small enough to be shown
 * beside it, each once: first come those of the examples, in order.
 */
export function withThumbnails<
  TComparison extends Pick<RunComparison, "examples" | "sources" | "rollouts">,
>(comparison: TComparison): TComparison & Pick<RunComparison, "images"> {
  const images: Record<string, string> = {};
  const names = new Map<string, string>();
  let together = 0;
  const named = (text: string): string => {
    if (imageDataIn(text) === null) return text;
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = imagePlaceholder(text);
    names.set(text, name);
    if (text.length <= longestShown && together + text.length <= longestTogether) {
      images[name] = text;
      together += text.length;
    }
    return name;
  };
  const { examples, sources, rollouts } = comparison;
  const shown = {
    examples: mapTexts(examples, named),
    sources: mapTexts(sources, named),
    rollouts: mapTexts(rollouts, named),
  } as Pick<TComparison, "examples" | "sources" | "rollouts">;
  return { ...comparison, ...shown, ...(Object.keys(images).length > 0 && { images }) };
}
