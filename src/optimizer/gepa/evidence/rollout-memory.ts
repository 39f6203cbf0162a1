import type { Candidate, SplitName, Component } from "../../../contract/index.ts";
import type { RandomSource } from "../../../internal/index.ts";
import { componentNames, predictorOf } from "../../candidate/components.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { combined } from "../../evaluation/index.ts";
import type { ReuseMode } from "./reuse-modes.ts";
import { reuseModes } from "./reuse-modes.ts";

/** Rollouts of a run, by what they depend on. */
export interface RolloutMemory {
  /** The current mode of score reuse. */
  readonly mode: ReuseMode;
  /** Whether train and val are the same examples, so that they share rollouts. */
  readonly sharesSplits: boolean;
  /** Looks up rollouts that count for this candidate, by example; valid until more are added. */
  known(candidate: Candidate, split: SplitName): (exampleId: string) => Rollout | undefined;
  add(candidate: Candidate, split: SplitName, rollouts: readonly Rollout[]): void;
  /**
   * Adds runs of examples that may be known already. From then on the mean of an example's runs
   * counts wherever the known rollout did, for other candidates as well.
   */
  addAgain(candidate: Candidate, split: SplitName, rollouts: readonly Rollout[]): void;
  /** How many runs a known rollout is the mean of. */
  runCount(rollout: Rollout): number;
  /** The runs of each known rollout that is a mean. */
  repeated(): readonly (readonly Rollout[])[];
  /**
   * On how many of the `count` examples of a split the last run ran one of these predictors or is
   * unknown. Looks only at traces, not at examples.
   */
  mayRun(split: SplitName, predictors: ReadonlySet<string>, count: number): number;
  /** The candidate that made this rollout; `undefined` if a later run has replaced it. */
  ownerOf(rollout: Rollout, split: SplitName): Candidate | undefined;
  /** Whether the next reuse is due for a re-run; counts the reuse. */
  isRecheckDue(): boolean;
  /** Sets whether re-runs are due more often than usual from now on. */
  recheckClosely(closely: boolean): void;
  /** Ends reuse: from now on known rollouts count only for the very same candidate. */
  disable(): void;
}

export function rolloutMemory({
  mode: initial,
  sharesSplits,
  randomOfRecheck,
}: {
  readonly mode: ReuseMode;
  readonly sharesSplits: boolean;
  /** By the number of the draw. */
  readonly randomOfRecheck: (number: number) => RandomSource;
}): RolloutMemory {
  let mode = initial;
  const rechecks = recheckSchedule(randomOfRecheck);
  const onVal = nothingKnown();
  const onTrain = sharesSplits ? onVal : nothingKnown();
  const of = (split: SplitName): KnownOfSplit => (split === "train" ? onTrain : onVal);
  const keyOf = candidateKeys();
  const runsByMean = new Map<Rollout, readonly Rollout[]>();
  const tablesFor = (candidate: Candidate, { whole, byTrace }: KnownOfSplit): readonly Table[] => {
    const traces = mode.sharesByTrace ? [...byTrace.values()] : [whole];
    return traces.flatMap((trace) => trace.byKey.get(keyOf(candidate, trace)) ?? []);
  };

  const known: RolloutMemory["known"] = (candidate, split) => {
    const tables = tablesFor(candidate, of(split));
    const [only] = tables;
    if (tables.length < 2) return (exampleId) => only?.get(exampleId);
    return (exampleId) => {
      for (const table of tables) {
        const found = table.get(exampleId);
        if (found !== undefined) return found;
      }
      return undefined;
    };
  };
  const add: RolloutMemory["add"] = (candidate, split, rollouts) => {
    if (!mode.reuses || rollouts.length === 0) return;
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
  };
  const runsOf = (rollout: Rollout): readonly Rollout[] => runsByMean.get(rollout) ?? [rollout];

  return {
    get mode() {
      return mode;
    },
    sharesSplits,
    known,
    add,
    addAgain: (candidate, split, rollouts) => {
      const before = known(candidate, split);
      for (const rollout of rollouts) {
        if (rollout.score.kind === "unscored") continue;
        const known = before(rollout.exampleId);
        if (known === undefined) {
          add(candidate, split, [rollout]);
          continue;
        }
        const runs = [...runsOf(known), rollout];
        const mean = combined(runs);
        for (const table of tablesIn(of(split))) {
          if (table.get(mean.exampleId) === known) table.set(mean.exampleId, mean);
        }
        runsByMean.delete(known);
        runsByMean.set(mean, runs);
      }
    },
    runCount: (rollout) => runsByMean.get(rollout)?.length ?? 1,
    repeated: () => [...runsByMean.values()],
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
    isRecheckDue: () => mode.rechecks && rechecks.isDue(),
    recheckClosely: (closely) => rechecks.lookClosely(closely),
    disable: () => {
      mode = reuseModes.candidate;
    },
  };
}

/** Rollouts by example. */
type Table = Map<string, Rollout>;

interface KnownOfSplit {
  /** By the whole candidate, as if everything ran. */
  readonly whole: KnownOfTrace;
  /** Candidates by their whole content. */
  readonly owners: Map<string, Candidate>;
  /** By the names of the predictors that ran. */
  readonly byTrace: Map<string, KnownOfTrace>;
  /** The last run, by example. */
  readonly last: Map<string, KnownOfTrace>;
}

/** Rollouts that ran the same predictors. */
interface KnownOfTrace extends TraceName {
  /** By the candidate's values there. */
  readonly byKey: Map<string, Table>;
  /** Number of examples whose last run is in here. */
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

function* tablesIn({ whole, byTrace }: KnownOfSplit): Generator<Table> {
  for (const { byKey } of [whole, ...byTrace.values()]) yield* byKey.values();
}

function noteLast({ last }: KnownOfSplit, exampleId: string, trace: KnownOfTrace): void {
  const before = last.get(exampleId);
  if (before === trace) return;
  if (before !== undefined) before.lastOf--;
  trace.lastOf++;
  last.set(exampleId, trace);
}

/** A named set of predictors that ran. */
interface TraceName {
  readonly name: string;
  /** `null` means all. */
  readonly ran: readonly string[] | null;
}

/** Returns a key that identifies a candidate's values in the components of the given predictors. */
function candidateKeys(): (candidate: Candidate, trace: TraceName) => string {
  const nameOf = componentNames();
  const keys = new WeakMap<Candidate, Map<string, string>>();
  return (candidate, { name, ran }) => {
    let ofCandidate = keys.get(candidate);
    if (ofCandidate === undefined) keys.set(candidate, (ofCandidate = new Map()));
    const known = ofCandidate.get(name);
    if (known !== undefined) return known;
    const key = candidate
      .filter((component) => ran === null || runsWith(component, ran))
      .map(nameOf)
      .join(",");
    ofCandidate.set(name, key);
    return key;
  };
}

/** Whether a component can have affected a trace that ran these predictors. */
function runsWith(component: Component, ran: readonly string[]): boolean {
  return component.kind === "parameter" || ran.includes(predictorOf(component));
}

/**
 * Chooses which reused scores to run again: the first, and then each with the same probability,
 * whatever its example. Examples recur in the same order, so a fixed stride would never check some
 * of them.
 */
interface RecheckSchedule {
  /** Counts one reuse. */
  isDue(): boolean;
  /** Whether one in 16 is due from now on instead of one in 64. */
  lookClosely(closely: boolean): void;
}

const usual = 1 / 64;
const close = 1 / 16;

function recheckSchedule(random: (number: number) => RandomSource): RecheckSchedule {
  let chance = usual;
  let drawn = 0;
  let left = 0;
  // Draws the number of reuses before the next re-run, each being due with the same probability.
  const draw = (): void => {
    left = Math.floor(Math.log1p(-random(drawn++).random()) / Math.log1p(-chance));
  };
  return {
    isDue: () => {
      if (left-- > 0) return false;
      draw();
      return true;
    },
    lookClosely: (closely) => {
      const before = chance;
      chance = closely ? close : usual;
      if (chance !== before) draw();
    },
  };
}
