import type { Rollout } from "../../evaluation/index.ts";

/** A way in which runs fail, as the judge LM named it. */
export interface FailureMode {
  /** A few words on one line. */
  readonly name: string;
  /** One sentence on one line. */
  readonly description: string;
}

/** A failing rollout that the judge LM was shown, and the mode that it put it in, if any. */
export interface SortedFailure {
  readonly rollout: Rollout;
  readonly mode: string | null;
}

/** The part that strategies see. */
export interface KnownModes {
  /** In the order in which they were named; empty if none were. */
  readonly modes: readonly FailureMode[];
  /** Examples of each mode that a text is written from. */
  readonly examples: number;
  /**
   * The mode of a failing rollout: the one that the judge LM put it in, else the one of most others
   * with the same feedback; `null` if there is none.
   */
  readonly modeOf: (rollout: Rollout) => FailureMode | null;
}

/** The failure modes named so far in a run. */
export interface FailureModes extends KnownModes {
  /** Requests to the judge LM so far. */
  readonly calls: number;
  /** Whether the judge LM has seen this failure: this example with this feedback. */
  readonly wasShown: (rollout: Rollout) => boolean;
  readonly add: (naming: {
    readonly calls: number;
    /** Those of an earlier name are the same mode. */
    readonly modes: readonly FailureMode[];
    readonly failures: readonly SortedFailure[];
  }) => void;
}

export function failureModes(examples: number): FailureModes {
  const byName = new Map<string, FailureMode>();
  const shown = new Map<string, FailureMode | null>();
  const bySaying = new Map<string, Map<FailureMode, number>>();
  let calls = 0;
  return {
    examples,
    get modes() {
      return [...byName.values()];
    },
    get calls() {
      return calls;
    },
    wasShown: (rollout) => shown.has(keyOf(rollout)),
    modeOf: (rollout) => shown.get(keyOf(rollout)) ?? mostFrequent(bySaying.get(sayingOf(rollout))),
    add: (naming) => {
      calls += naming.calls;
      for (const mode of naming.modes) if (!byName.has(mode.name)) byName.set(mode.name, mode);
      for (const { rollout, mode: name } of naming.failures) {
        const mode = byName.get(name ?? "") ?? null;
        shown.set(keyOf(rollout), mode);
        const said = sayingOf(rollout);
        if (mode === null || said === "") continue;
        const counts = bySaying.get(said) ?? new Map<FailureMode, number>();
        bySaying.set(said, counts.set(mode, (counts.get(mode) ?? 0) + 1));
      }
    },
  };
}

function keyOf(rollout: Rollout): string {
  return JSON.stringify([rollout.exampleId, sayingOf(rollout)]);
}

/** What was said of a whole run, of whichever step; empty if nothing was. */
export function sayingOf({ lesson }: Rollout): string {
  const { feedback = "", blame = [], failure } = lesson ?? {};
  const said = [feedback, ...blame.map(({ path, text }) => `${path}: ${text}`)];
  return [...said, failure?.message ?? ""].filter((one) => one !== "").join("\n");
}

/** The earlier of two that are as frequent. */
function mostFrequent(counts: ReadonlyMap<FailureMode, number> = new Map()): FailureMode | null {
  let [found, most]: [FailureMode | null, number] = [null, 0];
  for (const [mode, count] of counts) if (count > most) [found, most] = [mode, count];
  return found;
}
