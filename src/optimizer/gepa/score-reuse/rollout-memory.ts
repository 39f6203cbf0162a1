import type { Candidate, SplitName } from "../../../contract/index.ts";
import type { RandomSource } from "../../../internal/index.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { recheckSchedule } from "./recheck-schedule.ts";
import type { TraceName } from "./candidate-keys.ts";
import { candidateKeys } from "./candidate-keys.ts";

/**
 * What makes a known rollout stand for another candidate's.
 *
 * - `none`: nothing does.
 * - `candidate`: the very same candidate on the same example, for evaluations on val only, as the
 *   cache of gepa 0.1.4 has it.
 * - `trace`: the same example, and the same texts in every component that the known rollout's trace
 *   ran. Exact for a deterministic program, since a text that did not run changed nothing. Re-runs
 *   about one rollout in 64 that it could have reused, and stops reusing once a score differs for
 *   another reason than that scores vary from run to run.
 * - `trace-always`: as `trace`, without the re-runs.
 */
export type ScoreReuse = "none" | "candidate" | "trace" | "trace-always";

export const scoreReuses: readonly ScoreReuse[] = ["none", "candidate", "trace", "trace-always"];

/** Rollouts of a run, by what they depend on. */
export interface RolloutMemory {
  readonly reuse: ScoreReuse;
  /** Whether train and val are the same examples, so that one's rollouts are the other's. */
  readonly sharesSplits: boolean;
  /** Looks up rollouts that stand for this candidate's, by example; good until more is added. */
  known(candidate: Candidate, split: SplitName): (exampleId: string) => Rollout | undefined;
  add(candidate: Candidate, split: SplitName, rollouts: readonly Rollout[]): void;
  /**
   * Of the `count` examples of a split: on how many the last run ran one of these predictors, or
   * none is known. Looks at traces and not at examples.
   */
  mayRun(split: SplitName, predictors: ReadonlySet<string>, count: number): number;
  /** The candidate whose run this was; `undefined` for one that a later run has replaced. */
  ownerOf(rollout: Rollout, split: SplitName): Candidate | undefined;
  /** Whether the next reuse is due for a re-run; counts it. */
  isRecheckDue(): boolean;
  /** Whether from now on re-runs are due more often than usual. */
  recheckClosely(closely: boolean): void;
  /** Ends reuse: what is known stands for the very same candidate alone. */
  disable(): void;
}

export function rolloutMemory({
  reuse,
  sharesSplits,
  randomOfRecheck,
}: {
  readonly reuse: ScoreReuse;
  readonly sharesSplits: boolean;
  /** By the number of a draw. */
  readonly randomOfRecheck: (number: number) => RandomSource;
}): RolloutMemory {
  let mode = reuse;
  const rechecks = recheckSchedule(randomOfRecheck);
  const onVal = nothingKnown();
  const onTrain = sharesSplits ? onVal : nothingKnown();
  const of = (split: SplitName): KnownOfSplit => (split === "train" ? onTrain : onVal);
  const keyOf = candidateKeys();
  const tablesFor = (candidate: Candidate, { whole, byTrace }: KnownOfSplit): readonly Table[] => {
    if (mode === "none") return [];
    const traces = mode === "candidate" ? [whole] : [...byTrace.values()];
    return traces.flatMap((trace) => trace.byKey.get(keyOf(candidate, trace)) ?? []);
  };

  return {
    get reuse() {
      return mode;
    },
    sharesSplits,
    known: (candidate, split) => {
      const tables = tablesFor(candidate, of(split));
      return (exampleId) => {
        for (const table of tables) {
          const found = table.get(exampleId);
          if (found !== undefined) return found;
        }
        return undefined;
      };
    },
    add: (candidate, split, rollouts) => {
      if (reuse === "none" || rollouts.length === 0) return;
      const held = of(split);
      const key = keyOf(candidate, held.whole);
      const ofCandidate = tableOf(held.whole, key);
      held.owners.set(key, candidate);
      for (const rollout of rollouts) {
        if (rollout.score.kind === "unscored") continue;
        const { exampleId } = rollout;
        const trace = traceOf(held, rollout.ran);
        ofCandidate.set(exampleId, rollout);
        tableOf(trace, keyOf(candidate, trace)).set(exampleId, rollout);
        noteLast(held, exampleId, trace);
      }
    },
    mayRun: (split, predictors, count) => {
      let may = count;
      for (const { ran, lastOf } of of(split).byTrace.values()) {
        if (ran !== null && !ran.some((name) => predictors.has(name))) may -= lastOf;
      }
      return may;
    },
    ownerOf: (rollout, split) => {
      const { whole, owners } = of(split);
      for (const [key, table] of whole.byKey) {
        if (table.get(rollout.exampleId) === rollout) return owners.get(key);
      }
      return undefined;
    },
    isRecheckDue: () => mode === "trace" && rechecks.isDue(),
    recheckClosely: (closely) => rechecks.lookClosely(closely),
    disable: () => {
      mode = "candidate";
    },
  };
}

/** Rollouts by example. */
type Table = Map<string, Rollout>;

interface KnownOfSplit {
  /** By the whole candidate, as if everything ran. */
  readonly whole: KnownOfTrace;
  /** Candidates by what they hold as a whole. */
  readonly owners: Map<string, Candidate>;
  /** By the names of what ran. */
  readonly byTrace: Map<string, KnownOfTrace>;
  /** What ran last, by example. */
  readonly last: Map<string, KnownOfTrace>;
}

/** Rollouts that ran the same predictors. */
interface KnownOfTrace extends TraceName {
  /** By what the candidate held there. */
  readonly byKey: Map<string, Table>;
  /** Examples whose last run this is. */
  lastOf: number;
}

function nothingKnown(): KnownOfSplit {
  return { whole: ofTrace("*", null), owners: new Map(), byTrace: new Map(), last: new Map() };
}

function ofTrace(name: string, ran: TraceName["ran"]): KnownOfTrace {
  return { name, ran, byKey: new Map(), lastOf: 0 };
}

function traceOf({ byTrace }: KnownOfSplit, ran: readonly string[]): KnownOfTrace {
  const name = ran.length === 1 ? String(ran[0]) : ran.join("\n");
  let trace = byTrace.get(name);
  if (trace === undefined) byTrace.set(name, (trace = ofTrace(name, ran)));
  return trace;
}

function tableOf({ byKey }: KnownOfTrace, key: string): Table {
  let table = byKey.get(key);
  if (table === undefined) byKey.set(key, (table = new Map()));
  return table;
}

function noteLast({ last }: KnownOfSplit, exampleId: string, trace: KnownOfTrace): void {
  const before = last.get(exampleId);
  if (before === trace) return;
  if (before !== undefined) before.lastOf--;
  trace.lastOf++;
  last.set(exampleId, trace);
}
