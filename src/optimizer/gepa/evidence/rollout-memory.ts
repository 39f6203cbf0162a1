import type { Candidate, SplitName, Component } from "../../../contract/index.ts";
import type { RandomSource } from "../../../internal/index.ts";
import { oncePer } from "../../../internal/index.ts";
import { componentNames, predictorOf } from "../../candidate/components.ts";
import type { Rollout } from "../../evaluation/index.ts";

/**
 * When a known rollout may count for another candidate.
 *
 * - `none`: never.
 * - `candidate`: for the very same candidate on the same example, in evaluations on val only, like
 *   the cache of gepa 0.1.4.
 * - `trace`: for the same example and the same texts in every component that the known rollout's
 *   trace ran. Exact for a deterministic program, since a text that did not run changed nothing.
 *   Re-runs the first rollout that it could have reused and about one in 64 of the others, and
 *   stops reusing once a score differs for a reason other than run-to-run variation.
 */
export type ScoreReuse = "none" | "candidate" | "trace";

export const scoreReuses: readonly ScoreReuse[] = ["none", "candidate", "trace"];

/** Rollouts of a run, by what they depend on. */
export interface RolloutMemory {
  /** The current mode of score reuse. */
  readonly mode: ScoreReuse;
  /** Whether train and val are the same examples, so that they share rollouts. */
  readonly sharesSplits: boolean;
  /** Looks up rollouts that count for this candidate, by example; valid until more are added. */
  known(candidate: Candidate, split: SplitName): (exampleId: string) => Rollout | undefined;
  add(candidate: Candidate, split: SplitName, rollouts: readonly Rollout[]): void;
  /**
   * Number of these examples of a split whose last run is unknown or ran one of these predictors.
   */
  mayRun(split: SplitName, predictors: ReadonlySet<string>, exampleIds: readonly string[]): number;
  /** The candidate that made this rollout; `undefined` if a later run has replaced it. */
  ownerOf(rollout: Rollout, split: SplitName): Candidate | undefined;
  /** Whether the next reuse is due for a re-run; counts the reuse. */
  isRecheckDue(): boolean;
  /** Ends reuse: from now on known rollouts count only for the very same candidate. */
  disable(): void;
}

export function rolloutMemory({
  mode: initial,
  sharesSplits,
  randomOfRecheck,
}: {
  readonly mode: ScoreReuse;
  readonly sharesSplits: boolean;
  /** By the number of the draw. */
  readonly randomOfRecheck: (number: number) => RandomSource;
}): RolloutMemory {
  let mode = initial;
  const isDue = recheckSchedule(randomOfRecheck);
  const onVal = nothingKnown();
  const onTrain = sharesSplits ? onVal : nothingKnown();
  const of = (split: SplitName): KnownOfSplit => (split === "train" ? onTrain : onVal);
  const keyOf = candidateKeys();
  const tablesFor = (candidate: Candidate, { whole, byTrace }: KnownOfSplit): readonly Table[] => {
    const traces = mode === "trace" ? [...byTrace.values()] : [whole];
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
    if (mode === "none" || rollouts.length === 0) return;
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
      held.last.set(exampleId, trace);
    }
  };

  return {
    get mode() {
      return mode;
    },
    sharesSplits,
    known,
    add,
    mayRun: (split, predictors, exampleIds) => {
      const { last } = of(split);
      return exampleIds.filter((id) => {
        const ran = last.get(id)?.ran;
        return ran === undefined || ran === null || ran.some((name) => predictors.has(name));
      }).length;
    },
    ownerOf: (rollout, split) => {
      const { whole, owners } = of(split);
      for (const [key, table] of whole.byKey) {
        if (table.get(rollout.exampleId) === rollout) return owners.get(key);
      }
      return undefined;
    },
    isRecheckDue: () => mode === "trace" && isDue(),
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
  /** Candidates by their whole content. */
  readonly owners: Map<string, Candidate>;
  /** By the names of the predictors that ran. */
  readonly byTrace: Map<string, KnownOfTrace>;
  /** The last run, by example. */
  readonly last: Map<string, KnownOfTrace>;
}

/** Rollouts that ran the same predictors. */
interface KnownOfTrace {
  readonly name: string;
  /** `null` means all. */
  readonly ran: readonly string[] | null;
  /** By the candidate's values there. */
  readonly byKey: Map<string, Table>;
}

function nothingKnown(): KnownOfSplit {
  return { whole: ofTrace("*", null), owners: new Map(), byTrace: new Map(), last: new Map() };
}

function ofTrace(name: string, ran: KnownOfTrace["ran"]): KnownOfTrace {
  return { name, ran, byKey: new Map() };
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

/** Returns a key that identifies a candidate's values in the components that a trace ran. */
function candidateKeys(): (candidate: Candidate, trace: KnownOfTrace) => string {
  const nameOf = componentNames();
  const keysOf = oncePer<Candidate, Map<string, string>>(() => new Map());
  return (candidate, { name, ran }) => {
    const ofCandidate = keysOf(candidate);
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

const recheckChance = 1 / 64;

/**
 * Tells, reuse by reuse, whether to run the example again: the first time, and then each with the
 * same probability, whatever its example. Examples recur in the same order, so a fixed stride would
 * never check some of them.
 */
function recheckSchedule(random: (number: number) => RandomSource): () => boolean {
  let drawn = 0;
  let left = 0;
  return () => {
    if (left-- > 0) return false;
    left = Math.floor(Math.log1p(-random(drawn++).random()) / Math.log1p(-recheckChance));
    return true;
  };
}
