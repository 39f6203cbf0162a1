import type { LmIdentity } from "../../contract/index.ts";
import { randomSource } from "../../internal/index.ts";
import type { ScoresOnTest } from "../../optimizer/files.ts";
import { candidateMeasures, shownQuality } from "../../optimizer/files.ts";
import type { CandidateRecord } from "../../optimizer/index.ts";
import { isRehearsal, mocksOfRun } from "../../mock/index.ts";
import type { ComparedCandidate } from "../data/compared-candidate.ts";
import type { ComparedRun } from "../data/compared-source.ts";
import type { ExampleTable } from "./example-table.ts";
import type { Evaluated, RunHistory } from "../reading/run-history.ts";
import { componentTable } from "./component-table.ts";
import type { ClusterSums, Interval } from "../../statistics/index.ts";
import { mean, ratioBootstrap } from "../../statistics/index.ts";
import type { RunGiven } from "./source-given.ts";
import { loggedFigures } from "./test-figure.ts";

/** A run's folder as one source of a comparison. */
export function runSource(
  { path, history }: RunGiven,
  { key, table }: { readonly key: string; readonly table: ExampleTable },
): ComparedRun {
  const { recorded, moments, costUsd, elapsedMs } = history;
  const { run, candidates, best, spent, billed, end } = recorded;
  const { optimizer, seed, budget, mocks, ...subject } = describedRun(run);
  const found = attributed(history);
  const parts = componentTable();
  const intervals = measureIntervals(candidates, table);
  const ended = end && {
    reason: end.reason,
    ...(end.detail !== undefined && { detail: end.detail }),
  };
  return {
    kind: "run",
    key,
    path,
    subject,
    mocks,
    isRehearsal: isRehearsal(mocks),
    optimizer,
    seed,
    budget,
    description: run,
    ...(ended && { end: ended }),
    iterations: recorded.iterations,
    searches: recorded.searches,
    front: recorded.front,
    candidates: candidates.map((record) => ({
      ...candidateOf(record, found, { table, onTest: history.reported.scores[record.id] }),
      components: record.components.map((held) => parts.placeOf(held)),
      measures: candidateMeasures(record).map((measure) => ({
        ...measure,
        ...(measure.name === "quality" && { value: shownQuality(record.selection, candidates[0]) }),
        interval: intervals.of(record.id, measure.name),
      })),
    })),
    components: parts.components,
    best: best?.id ?? null,
    curve: moments.flatMap((moment) => {
      if (moment.kind !== "evaluated") return [];
      const { metricCalls, iteration, split, value, scores, reused, candidate } = moment;
      const examples = Object.keys(scores).length;
      const numbered = candidate === "proposed" ? (found.numbers.get(moment) ?? null) : candidate;
      return [{ metricCalls, iteration, split, candidate: numbered, value, examples, reused }];
    }),
    refused: recorded.rejections,
    skipped: moments.flatMap((moment) => {
      if (moment.kind !== "proposal-skipped") return [];
      const { iteration, parent, reason } = moment;
      return [{ iteration, parent, reason }];
    }),
    disputes: recorded.disputes,
    spending: { spent, used: end?.used ?? {}, billed, costUsd, elapsedMs },
    test: loggedFigures(history.reported.figures),
  };
}

function candidateOf(
  record: CandidateRecord,
  found: Attributed,
  { table, onTest }: { readonly table: ExampleTable; readonly onTest: ScoresOnTest | undefined },
): Omit<ComparedCandidate, "components" | "measures"> {
  const { id, parents, iteration, changed, selection, acceptance, gate } = record;
  const train = found.train[id] ?? new Map<string, number | null>();
  return {
    id,
    parents,
    iteration,
    changed,
    ...(selection.seen !== undefined && { seen: selection.seen }),
    scores: {
      val: table.column(new Map(Object.entries(selection.scores))),
      ...(onTest && { test: table.column(new Map(Object.entries(onTest))) }),
      ...(train.size > 0 && { train: table.column(train) }),
    },
    acceptance,
    ...(gate && {
      gate: {
        examples: table.placesOf(gate.exampleIds),
        parentSum: gate.parentSum,
        childSum: gate.childSum,
      },
    }),
    metricCallsBefore: record.metricCallsBefore,
  };
}

type Described = Pick<ComparedRun, "optimizer" | "seed" | "budget" | "mocks"> &
  ComparedRun["subject"];

/** The part of a run's description that is shown. */
function describedRun(run: ComparedRun["description"]): Described {
  const {
    optimizer,
    seed,
    budget = {},
    program,
    task,
    trainset,
    objective,
    lm,
  } = run as unknown as RunHead;
  const of = program ?? task;
  return {
    optimizer: { name: optimizer.name, version: optimizer.version },
    seed: Number(seed),
    budget,
    ...(of && { program: { name: of.name, version: of.version } }),
    ...(trainset && { trainset: { name: trainset.name, ...checksumOf(trainset) } }),
    ...(objective && { objective: { name: objective.name, version: objective.version } }),
    ...(lm && { lm: lm.model }),
    mocks: mocksOfRun(run),
  };
}

function checksumOf({ checksum }: { readonly checksum?: string }): { readonly checksum?: string } {
  return checksum === undefined ? {} : { checksum };
}

interface Named {
  readonly name: string;
  readonly version: string;
}

interface RunHead {
  readonly optimizer: Named;
  readonly seed: unknown;
  readonly budget?: ComparedRun["budget"];
  readonly program?: Named;
  /** Of a search over plain texts. */
  readonly task?: Named;
  readonly trainset?: { readonly name: string; readonly checksum?: string };
  readonly objective?: Named;
  readonly lm?: LmIdentity;
}

/** Few, since a run may have hundreds of candidates: a contrast takes more. */
const resamples = 1_000;

/**
 * Intervals of the candidates' quality and further objectives on val. `null` where the value is no
 * mean of the scores: an estimate, or a metric's own aggregate.
 */
function measureIntervals(
  candidates: readonly CandidateRecord[],
  { examples, placeOf }: ExampleTable,
): { of(candidate: number, measure: string): Interval | null } {
  const clusters = new Map<string, number>();
  const clusterOf = (id: string): number => {
    const { cluster = id } = examples[placeOf(id)] ?? {};
    const held = clusters.get(cluster);
    if (held !== undefined) return held;
    clusters.set(cluster, clusters.size);
    return clusters.size - 1;
  };
  const wanted = candidates.flatMap(({ id, selection }) => {
    const { value, seen, scores, objectives = {}, objectiveScores = {} } = selection;
    const quality = Object.entries(scores);
    const measures = [
      ...(seen === undefined ? [{ name: "quality", value, cells: quality }] : []),
      ...Object.entries(objectives).map(([name, value]) => ({
        name,
        value,
        cells: Object.entries(objectiveScores).map(([example, of]): [string, number | null] => [
          example,
          of[name] ?? null,
        ]),
      })),
    ];
    return measures.flatMap(({ name, value: stated, cells }) => {
      const scored = cells.flatMap(([example, score]) =>
        score === null ? [] : [{ cluster: clusterOf(example), score }],
      );
      const found = mean(scored.map(({ score }) => score));
      return Math.abs(found - stated) < 1e-9 ? [{ key: `${id} ${name}`, scored }] : [];
    });
  });
  const intervals = ratioBootstrap({
    clusterCount: clusters.size,
    means: wanted.map(({ scored }): ClusterSums => {
      const [sums, counts] = [new Float64Array(clusters.size), new Float64Array(clusters.size)];
      for (const { cluster, score } of scored) {
        sums[cluster] = (sums[cluster] ?? 0) + score;
        counts[cluster] = (counts[cluster] ?? 0) + 1;
      }
      return { sums, counts };
    }),
    resamples,
    random: randomSource(0, "report/measures"),
  });
  const byKey = new Map(wanted.map(({ key }, index) => [key, intervals[index] ?? null]));
  return { of: (candidate, measure) => byKey.get(`${candidate} ${measure}`) ?? null };
}

/** What a run's evaluations say of its candidates. */
interface Attributed {
  /** Of each candidate its last score on each example of train, by id. */
  readonly train: readonly ReadonlyMap<string, number | null>[];
  /** Evaluations of proposals that became candidates, and which. */
  readonly numbers: ReadonlyMap<Evaluated, number>;
}

/**
 * Says which evaluation belongs to which candidate. A proposal is evaluated before it has a number:
 * its evaluations on val are those of its iteration that agree with the scores it was accepted
 * with, and the one on train is that of the minibatch that decided.
 */
function attributed({ recorded, moments }: RunHistory): Attributed {
  const train = recorded.candidates.map(() => new Map<string, number | null>());
  const numbers = new Map<Evaluated, number>();
  let proposed: Evaluated[] = [];
  const noteTrain = (candidate: number, { scores }: Evaluated): void => {
    for (const [id, value] of Object.entries(scores)) train[candidate]?.set(id, value);
  };
  for (const moment of moments) {
    if (moment.kind === "iteration-start") proposed = [];
    if (moment.kind === "evaluated") {
      if (moment.candidate === "proposed") proposed.push(moment);
      else if (moment.split === "train") noteTrain(moment.candidate, moment);
    }
    if (moment.kind !== "accepted") continue;
    const record = recorded.candidates[moment.candidate];
    if (record === undefined) continue;
    const { id, gate, selection } = record;
    const onVal = proposed.filter(
      ({ split, scores }) =>
        split === "val" &&
        Object.entries(scores).every(([example, value]) => selection.scores[example] === value),
    );
    const minibatch = proposed.find(
      ({ split, scores }) =>
        split === "train" &&
        gate?.exampleIds.length === Object.keys(scores).length &&
        gate.exampleIds.every((example) => example in scores),
    );
    if (minibatch) noteTrain(id, minibatch);
    for (const one of [...onVal, ...(minibatch ? [minibatch] : [])]) numbers.set(one, id);
  }
  return { train, numbers };
}
