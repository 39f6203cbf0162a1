import { withThumbnails } from "./with-thumbnails.ts";
import type { SplitName, Trainset } from "../contract/index.ts";
import { EspalierError } from "../errors/index.ts";
import { checkCount, deepFreeze } from "../internal/index.ts";
import { driftWords } from "../statistics/index.ts";
import { standInLabel } from "../stand-in/index.ts";
import { contrasts } from "./contrasts.ts";
import type { ComparedSource } from "./data/compared-source.ts";
import type { ExampleTable } from "./source/example-table.ts";
import { exampleTable } from "./source/example-table.ts";
import { headline } from "./headline.ts";
import type { ReplayedRollout } from "./data/replayed-rollout.ts";
import type { RunComparison } from "./data/run-comparison.ts";
import { sourceGroups } from "./source-groups.ts";
import { sourceKeys } from "./source-keys.ts";
import { artifactSource, resultSource } from "./source/other-sources.ts";
import { runSource } from "./source/run-source.ts";
import type { SourceGiven } from "./source/source-given.ts";
import { trainsetOf } from "./source/trainset-of.ts";
import { stratify } from "./stratify.ts";

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
 * Sets runs, results and artifacts beside each other. Pure: the same sources give the same value.
 * Takes time linear in the size of what was read.
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
  const sources = given.map((one, place): ComparedSource => {
    const at = { key: keys[place] ?? "", table };
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
      for (const { selection, learntFrom } of one.history.recorded.candidates) {
        const { scores, objectiveScores = {} } = selection;
        for (const id of Object.keys({ ...scores, ...objectiveScores })) mentions.val.add(id);
        for (const id of learntFrom) mentions.train.add(id);
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
    ...[...Map.groupBy(sources, ({ standIns }) => standInLabel(standIns).warning)].flatMap(
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
          `The values on val of ${estimated.map(({ key }) => key).join(", ")} are estimates, also in means over seeds.`,
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
      problem: `The trainset \`${name}\` is not the one that a source was made with`,
      where: one.path,
      expected: `checksum ${made.slice(0, 12)}`,
      got: checksum.slice(0, 12),
      fix: "Give the study and the trainset of the run, or none.",
    });
  }
}
