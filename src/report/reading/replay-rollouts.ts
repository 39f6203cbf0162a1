import type { Example, LanguageModel, LmIdentity, SplitName } from "../../contract/index.ts";
import type { Evaluation, EvaluationRow } from "../../evaluate/index.ts";
import { evaluate } from "../../evaluate/index.ts";
import { oncePer } from "../../internal/index.ts";
import { readWork, recordedOnly, runFolderFiles } from "../../optimizer/files.ts";
import type { OptimizerTask } from "../../optimizer/index.ts";
import type { ReplayedRollout } from "../data/replayed-rollout.ts";
import type { RunHistory } from "./run-history.ts";

export interface ReplayOptions {
  /** The run's folder. */
  readonly folder: string;
  /** What `readRunHistory` read there. */
  readonly history: RunHistory;
  /** Key of the source in the comparison. */
  readonly source: string;
  readonly candidate: number;
  readonly split: SplitName;
  readonly exampleIds: readonly string[];
  /** The example's place in the comparison. */
  readonly placeOf: (exampleId: string) => number;
  readonly signal?: AbortSignal;
}

/**
 * Repeats runs of a candidate from the replies that its run recorded: no LM is asked. Where a reply
 * is missing, the rollout ends there and says so. Parts of the program that are no LM, such as
 * retrievers, run anew: if they differ from those of the run, prompts differ, and replies are
 * missing.
 *
 * @param task the study of the run, with the program as the run had it
 * @throws EspalierError of the program or the metric, and what reading the run's files throws
 */
export async function replayRollouts<TInput, TOutput, TLabels>(
  { program, trainset, objective }: OptimizerTask<TInput, TOutput, TLabels>,
  { folder, history, source, candidate, split, exampleIds, placeOf, signal }: ReplayOptions,
): Promise<readonly ReplayedRollout[]> {
  const { run, candidates } = history.recorded;
  const record = candidates[candidate];
  const scores = { ...history.reported.scores[candidate], ...record?.selection.scores };
  if (record === undefined) return [];
  const head = run as unknown as ReplayedHead;
  const files = runFolderFiles(folder);
  const log = readWork(split === "test" ? files.reportReplies : files.journal);
  const missing = new Set<string>();
  const recorded = (identity: LmIdentity): LanguageModel =>
    recordedOnly({ identity }, log, (id = "") => missing.add(id));
  const byId = new Map(trainset.splits[split].map((example) => [example.id, example]));
  const examples = exampleIds.flatMap((id): readonly Example<TInput, TLabels>[] => {
    const example = byId.get(id);
    return example === undefined ? [] : [example];
  });
  const { rows } = await evaluate({
    program: program.with(record.components),
    examples,
    metric: objective,
    lm: recorded(head.lm),
    lms: Object.fromEntries(
      Object.entries(head.lms ?? {}).map(([name, identity]) => [name, recorded(identity)]),
    ),
    judgeLm: recorded(head.judgeLm ?? head.lm),
    wrapTool: oncePer(({ identity }: LanguageModel) => recorded(identity)),
    allowsSideEffects: head.allowsSideEffects === true,
    seed: head.seed,
    repetitions: head.repetitions ?? 1,
    faultRetries: 0,
    resamples: 0,
    ...(signal && { signal }),
  });
  return rows.map((row) => ({
    source,
    candidate,
    example: placeOf(row.exampleId),
    ...replayed(row, {
      isMissing: missing.has(row.exampleId),
      recorded: split === "train" ? undefined : scores[row.exampleId],
    }),
  }));
}

function replayed(
  row: EvaluationRow,
  {
    isMissing,
    recorded,
  }: { readonly isMissing: boolean; readonly recorded: number | null | undefined },
): Omit<ReplayedRollout, "source" | "candidate" | "example"> {
  const rollout = rolloutOf(row);
  const { score: _score, value, feedback: _feedback, blame: _blame, ...about } = rollout;
  if (isMissing) {
    return { ...about, missing: "A reply that this run needs is not recorded." };
  }
  const isDifferent = value !== undefined && recorded !== undefined && recorded !== value;
  return { ...rollout, ...(isDifferent && { isDifferent }) };
}

interface ReplayedHead {
  readonly lm: LmIdentity;
  readonly lms?: Readonly<Record<string, LmIdentity>>;
  readonly judgeLm?: LmIdentity;
  readonly seed: number;
  readonly repetitions?: number;
  readonly allowsSideEffects?: boolean;
}

/**
 * The runs that an evaluation holds, with outputs, feedback and traces as they were: nothing
 * is run again. Examples that it does not have are left out.
 */
export function resultRollouts(
  { rows }: Pick<Evaluation, "rows">,
  {
    source,
    exampleIds,
    placeOf,
  }: {
    /** Key of the source in the comparison. */
    readonly source: string;
    readonly exampleIds: readonly string[];
    /** The example's place in the comparison. */
    readonly placeOf: (exampleId: string) => number;
  },
): readonly ReplayedRollout[] {
  const wanted = new Set(exampleIds);
  return rows
    .filter(({ exampleId }) => wanted.has(exampleId))
    .map((row) => ({ source, candidate: 0, example: placeOf(row.exampleId), ...rolloutOf(row) }));
}

/** A row of an evaluation without its names. */
function rolloutOf({
  score,
  failure,
  trace,
  runs,
}: EvaluationRow): Omit<ReplayedRollout, "source" | "candidate" | "example"> {
  const { output } = trace;
  const about = {
    ...(runs && { runs: runs.length }),
    ...(failure && { failure }),
    ...(output !== undefined && { output }),
    trace,
  };
  if (score.kind !== "scored") return { ...about, score: score.kind };
  const { value, feedback, blame } = score;
  return {
    ...about,
    score: score.kind,
    value,
    ...(feedback !== undefined && { feedback }),
    ...(blame && { blame }),
  };
}
