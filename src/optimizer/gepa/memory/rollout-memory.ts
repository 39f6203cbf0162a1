import type { Candidate, Component, SplitName } from "../../../contract/index.ts";
import type { Rollout } from "../../evaluation/index.ts";

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

/** Rollouts of a run, by what they depend on. */
export interface RolloutMemory {
  readonly inheritance: Inheritance;
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

/** `sharesSplits`: train and val are the same examples, and one's rollouts are the other's. */
export function rolloutMemory(inheritance: Inheritance, sharesSplits: boolean): RolloutMemory {
  let mode = inheritance;
  let inherited = 0;
  const traces = new Map<string, TracesOfExample>();
  const intern = interner();
  const keys = new WeakMap<Candidate, Map<string, string>>();

  const place = (split: SplitName, exampleId: string): string =>
    sharesSplits ? exampleId : `${split}\n${exampleId}`;

  /** Tells apart what a candidate holds in the components that some predictors have. */
  const keyOf = (candidate: Candidate, ran: readonly string[] | null): string => {
    const ofCandidate = keys.get(candidate) ?? new Map<string, string>();
    if (ofCandidate.size === 0) keys.set(candidate, ofCandidate);
    const about = ran === null ? "*" : ran.join("\n");
    const known = ofCandidate.get(about);
    if (known !== undefined) return known;
    const key = candidate
      .filter((component) => ran === null || runsWith(component, ran))
      .map(intern)
      .join(",");
    ofCandidate.set(about, key);
    return key;
  };

  return {
    get inheritance() {
      return mode;
    },
    known: (candidate, split, exampleId) => {
      const held = traces.get(place(split, exampleId));
      if (held === undefined || mode === "none") return undefined;
      if (mode === "candidate") return held.byCandidate.get(keyOf(candidate, null));
      for (const [about, { ran, byKey }] of held.byTrace) {
        const found = byKey.get(`${about}\n${keyOf(candidate, ran)}`);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    add: (candidate, split, rollouts) => {
      if (inheritance === "none") return;
      for (const rollout of rollouts) {
        if (rollout.score.kind === "unscored") continue;
        const at = place(split, rollout.exampleId);
        const held = traces.get(at) ?? emptyTraces();
        traces.set(at, held);
        const { ran } = rollout;
        held.last = ran;
        held.byCandidate.set(keyOf(candidate, null), rollout);
        const about = ran.join("\n");
        const ofTrace = held.byTrace.get(about) ?? { ran, byKey: new Map<string, Rollout>() };
        held.byTrace.set(about, ofTrace);
        ofTrace.byKey.set(`${about}\n${keyOf(candidate, ran)}`, rollout);
      }
    },
    ranOn: (split, exampleId) => traces.get(place(split, exampleId))?.last,
    isAuditDue: () => mode === "trace" && inherited++ % auditEvery === 0,
    distrust: () => {
      mode = "candidate";
    },
  };
}

interface TracesOfExample {
  last: readonly string[];
  readonly byCandidate: Map<string, Rollout>;
  readonly byTrace: Map<
    string,
    { readonly ran: readonly string[]; readonly byKey: Map<string, Rollout> }
  >;
}

function emptyTraces(): TracesOfExample {
  return { last: [], byCandidate: new Map(), byTrace: new Map() };
}

/** Whether a component can have had a part in a trace that ran these predictors. */
function runsWith({ kind, path }: Component, ran: readonly string[]): boolean {
  return kind === "parameter" || ran.includes(path.split(".")[0] ?? "");
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
