import type { OptimizerRun } from "../../contract/optimizer.ts";
import type { Rollout } from "../../evaluation/index.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Records } from "../evidence/records.ts";
import type { BySplit, Replays, Split } from "../evidence/replays.ts";
import { sizeOf } from "../evidence/replays.ts";
import type { Configuration } from "../lever/lever.ts";
import type { Levers } from "../lever/levers.ts";
import { trialSize } from "../settings/settings.ts";

/** Runs configurations on a few examples each. */
export interface Trials {
  /** Its rollouts; `null` if there is no example that it was not run on. */
  tryOne(configuration: Configuration): Promise<BySplit<readonly Rollout[]> | null>;
  /**
   * Learns, for nothing, of parameters that change no call: runs variants of a configuration on
   * examples that it was just run on.
   */
  vary(
    configuration: Configuration,
    ran: BySplit<readonly Rollout[]>,
    variants: number,
  ): Promise<void>;
}

export function startTrials(
  run: OptimizerRun,
  {
    levers,
    evidence,
    replays,
    records,
  }: {
    readonly levers: Levers;
    readonly evidence: Evidence;
    readonly replays: Replays;
    readonly records: Records;
  },
): Trials {
  let variant = 0;
  const replay = async (
    configuration: Configuration,
    ran: BySplit<readonly Rollout[]>,
  ): Promise<void> => {
    const missing = (split: Split): readonly string[] => {
      const ids = ran[split].map(({ exampleId }) => exampleId);
      return evidence.missing(split, ids, configuration);
    };
    const examples = { train: missing("train"), val: missing("val") };
    const answered = await replays.answered(configuration, examples);
    // What is answered in part would be learnt from a choice of examples.
    if (sizeOf(answered) === 0 || sizeOf(answered) < sizeOf(examples)) return;
    records.propose(configuration);
    evidence.note(configuration, "train", answered.train);
    evidence.note(configuration, "val", answered.val);
    records.evaluated(answered, "proposed");
  };
  return {
    tryOne: async (configuration) => {
      const examples = {
        train: evidence.next("train", trialSize / 2, configuration),
        val: evidence.next("val", trialSize / 2, configuration),
      };
      if (sizeOf(examples) === 0) return null;
      records.propose(configuration);
      const ran = await evidence.run(configuration, examples);
      records.evaluated(ran, "proposed");
      return ran;
    },
    vary: async (configuration, ran, variants) => {
      if (!replays.areAny) return;
      for (let count = 0; count < variants; count++) {
        const random = run.random("joint-search/vary", variant++);
        // Every other one is any, so that no value stays untried for a first impression.
        const like =
          count % 2 === 0 ? levers.all.map((lever) => lever.drawn(random)) : evidence.drawn(random);
        await replay(replays.varied(configuration, like), ran);
      }
    },
  };
}
