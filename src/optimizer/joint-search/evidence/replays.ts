import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { Configuration } from "../lever/lever.ts";
import { configurationKey } from "../lever/lever.ts";
import type { Levers } from "../lever/levers.ts";

export type Split = "train" | "val";
export type BySplit<T> = Readonly<Record<Split, T>>;

/**
 * Rollouts without an LM call, for each that the budget allows: they still take time, and may ask
 * an embedder or a reranker.
 */
const freePerPaid = 3;
/** Examples on which a parameter is tried to find out whether recorded replies answer. */
const examplesToFindOut = 4;

/**
 * Rollouts that the run's recorded replies answer, because a configuration differs from one that
 * was run in nothing but what the program does with replies.
 */
export interface Replays {
  /**
   * Finds the parameters that change no call, from the program as it is with other values of each,
   * on some of the examples that it was run on.
   */
  find(ran: BySplit<readonly string[]>): Promise<void>;
  /** Notes what a configuration was run on. */
  note(configuration: Configuration, split: Split, rollouts: readonly Rollout[]): void;
  /** Of the rollouts on these examples, those that recorded replies answer. */
  answered(
    configuration: Configuration,
    examples: BySplit<readonly string[]>,
  ): Promise<BySplit<readonly Rollout[]>>;
  /** A configuration with such parameters as in another one. */
  varied(configuration: Configuration, other: Configuration): Configuration;
  /** Whether any parameter is known to change no call. */
  readonly areAny: boolean;
}

/** @param rollouts that the search counts with */
export function startReplays(run: OptimizerRun, levers: Levers, rollouts: number): Replays {
  const places = new Set<number>();
  /** Examples by split, by what calls depend on. */
  const ranBy = new Map<string, BySplit<Set<string>>>();
  let left = freePerPaid * rollouts;
  const ranAs = (configuration: Configuration): BySplit<Set<string>> => {
    const key = configurationKey(
      configuration.map((setting, at) =>
        places.has(at) ? (levers.initial[at] ?? setting) : setting,
      ),
    );
    const held = ranBy.get(key) ?? { train: new Set(), val: new Set() };
    ranBy.set(key, held);
    return held;
  };
  const replayed = async (
    configuration: Configuration,
    examples: BySplit<readonly string[]>,
  ): Promise<BySplit<readonly Rollout[]>> => {
    const candidate = levers.candidateOf(configuration);
    const requests = (["train", "val"] as const).flatMap((split) => {
      const exampleIds = examples[split].slice(0, Math.max(0, left));
      left -= exampleIds.length;
      return exampleIds.length === 0 ? [] : [{ candidate, split, exampleIds }];
    });
    const found: Record<Split, readonly Rollout[]> = { train: [], val: [] };
    if (requests.length === 0 || run.evaluateRecorded === undefined) return found;
    const judged = await run.evaluateRecorded(requests);
    for (const [at, { split }] of requests.entries()) found[split] = judged[at] ?? [];
    return found;
  };

  return {
    find: async (ran) => {
      if (run.evaluateRecorded === undefined) return;
      const examples: BySplit<readonly string[]> = {
        train: ran.train.slice(0, examplesToFindOut),
        val: ran.train.length > 0 ? [] : ran.val.slice(0, examplesToFindOut),
      };
      for (const [place, { initial, extremes = [] }] of levers.all.entries()) {
        for (const extreme of extremes) {
          if (extreme === initial || places.has(place)) continue;
          const changed = levers.settled(levers.initial.with(place, extreme));
          // A parameter that does not matter answers everything.
          if (changed[place] !== extreme) continue;
          const answered = await replayed(changed, examples);
          // What is answered now and then would be learnt from a choice of examples.
          if (sizeOf(answered) === sizeOf(examples)) places.add(place);
        }
      }
    },
    note: (configuration, split, rollouts) => {
      const ran = ranAs(configuration)[split];
      for (const { exampleId } of rollouts) ran.add(exampleId);
    },
    answered: async (configuration, { train, val }) => {
      if (places.size === 0 || left <= 0) return { train: [], val: [] };
      const ran = ranAs(configuration);
      return replayed(configuration, {
        train: train.filter((id) => ran.train.has(id)),
        val: val.filter((id) => ran.val.has(id)),
      });
    },
    varied: (configuration, other) =>
      levers.settled(
        configuration.map((setting, at) => (places.has(at) ? (other[at] ?? setting) : setting)),
      ),
    get areAny() {
      return places.size > 0 && left > 0;
    },
  };
}

export function sizeOf({ train, val }: BySplit<readonly unknown[]>): number {
  return train.length + val.length;
}
