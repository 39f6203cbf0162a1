import type { Candidate, Component, SplitName } from "../../../contract/index.ts";
import type { Rollout } from "../../evaluation/index.ts";
import { predictorOf } from "../../predictor-of.ts";

/**
 * What makes a known rollout stand for another candidate's.
 *
 * - `none`: nothing does.
 * - `candidate`: the very same candidate on the same example, for evaluations on val only, as the
 *   cache of gepa 0.1.4 has it.
 * - `trace`: the same example, and the same texts in every component that the known rollout's trace
 *   ran. Exact for a deterministic program, since a text that did not run changed nothing. Re-runs one
 *   rollout in 64 that it could have inherited, and stops inheriting once a score differs.
 * - `trace-always`: as `trace`, without the re-runs.
 */
export type Inheritance = "none" | "candidate" | "trace" | "trace-always";

export const inheritances: readonly Inheritance[] = ["none", "candidate", "trace", "trace-always"];

/** Rollouts of a run, by what they depend on. */
export interface RolloutMemory {
  readonly inheritance: Inheritance;
  /** Whether train and val are the same examples, so that one's rollouts are the other's. */
  readonly sharesSplits: boolean;
  /** A rollout that stands for this candidate's on this example. */
  known(candidate: Candidate, split: SplitName, exampleId: string): Rollout | undefined;
  add(candidate: Candidate, split: SplitName, rollouts: readonly Rollout[]): void;
  /** Predictors that ran on an example the last time it was run. */
  ranOn(split: SplitName, exampleId: string): readonly string[] | undefined;
  /** Whether the next inheritance is due for a re-run; counts it. */
  isAuditDue(): boolean;
  /** Ends inheritance: what is known stands for the very same candidate alone. */
  distrust(): void;
}

const auditEvery = 64;

export function rolloutMemory(inheritance: Inheritance, sharesSplits: boolean): RolloutMemory {
  let mode = inheritance;
  let inherited = 0;
  const onVal = new Map<string, KnownOfExample>();
  const onTrain = sharesSplits ? onVal : new Map<string, KnownOfExample>();
  const of = (split: SplitName): Map<string, KnownOfExample> =>
    split === "train" ? onTrain : onVal;
  const keyOf = candidateKeys();

  return {
    get inheritance() {
      return mode;
    },
    sharesSplits,
    known: (candidate, split, exampleId) => {
      const held = of(split).get(exampleId);
      if (held === undefined || mode === "none") return undefined;
      if (mode === "candidate") return held.byCandidate.get(keyOf(candidate, everything));
      for (const { trace, byKey } of held.byTrace) {
        const found = byKey.get(keyOf(candidate, trace));
        if (found !== undefined) return found;
      }
      return undefined;
    },
    add: (candidate, split, rollouts) => {
      if (inheritance === "none") return;
      for (const rollout of rollouts) {
        if (rollout.score.kind === "unscored") continue;
        const held = of(split).get(rollout.exampleId) ?? nothingKnown();
        of(split).set(rollout.exampleId, held);
        held.last = rollout.ran;
        held.byCandidate.set(keyOf(candidate, everything), rollout);
        const name = rollout.ran.join("\n");
        let known = held.byTrace.find(({ trace }) => trace.name === name);
        if (known === undefined) {
          known = { trace: { name, ran: rollout.ran }, byKey: new Map() };
          held.byTrace.push(known);
        }
        known.byKey.set(keyOf(candidate, known.trace), rollout);
      }
    },
    ranOn: (split, exampleId) => of(split).get(exampleId)?.last,
    isAuditDue: () => mode === "trace" && inherited++ % auditEvery === 0,
    distrust: () => {
      mode = "candidate";
    },
  };
}

/** What is known of one example. */
interface KnownOfExample {
  /** Predictors that its last run ran. */
  last: readonly string[];
  readonly byCandidate: Map<string, Rollout>;
  /** By what ran, then by what the candidate held there. */
  readonly byTrace: { readonly trace: TraceOf; readonly byKey: Map<string, Rollout> }[];
}

function nothingKnown(): KnownOfExample {
  return { last: [], byCandidate: new Map(), byTrace: [] };
}

/** Predictors that ran, `null` standing for all. */
interface TraceOf {
  readonly name: string;
  readonly ran: readonly string[] | null;
}

const everything: TraceOf = { name: "*", ran: null };

/** Tells apart what candidates hold in the components that some predictors have. */
function candidateKeys(): (candidate: Candidate, trace: TraceOf) => string {
  const intern = interner();
  const keys = new WeakMap<Candidate, Map<string, string>>();
  return (candidate, { name, ran }) => {
    let ofCandidate = keys.get(candidate);
    if (ofCandidate === undefined) keys.set(candidate, (ofCandidate = new Map()));
    const known = ofCandidate.get(name);
    if (known !== undefined) return known;
    const key = candidate
      .filter((component) => ran === null || runsWith(component, ran))
      .map(intern)
      .join(",");
    ofCandidate.set(name, key);
    return key;
  };
}

/** Whether a component can have had a part in a trace that ran these predictors. */
function runsWith(component: Component, ran: readonly string[]): boolean {
  return component.kind === "parameter" || ran.includes(predictorOf(component));
}

/** Short names for components by their content. */
function interner(): (component: Component) => string {
  const numbers = new Map<string, number>();
  const known = new WeakMap<Component, string>();
  return (component) => {
    const before = known.get(component);
    if (before !== undefined) return before;
    const { kind, path, value } = component;
    const content = `${kind}:${path}=${typeof value === "string" ? value : JSON.stringify(value)}`;
    const number = numbers.get(content) ?? numbers.size;
    numbers.set(content, number);
    const name = number.toString(36);
    known.set(component, name);
    return name;
  };
}
