import type { CoupledTask } from "../../support/yardstick/coupled-task.ts";
import { coupledMean } from "../../support/yardstick/coupled-task.ts";
import type { Peer } from "./peer.ts";
import type { RunFigures } from "./run-espalier.ts";

/** Options of `gepa.optimize`, by their name in the tables. */
export const peerConfigurations = {
  default: {},
  "all components": { module_selector: "all" },
  "current best": { candidate_selection_strategy: "current_best" },
} as const satisfies Readonly<Record<string, object>>;

export type PeerConfiguration = keyof typeof peerConfigurations;

/**
 * Runs gepa on each task with each seed. It may exceed its cap by one evaluation on val; the
 * figures are those of its best candidate at the moment the cap was reached.
 */
export async function runPeer(
  peer: Peer,
  tasks: readonly CoupledTask[],
  {
    configuration,
    metricCalls,
    seeds,
    neverRepeats = false,
  }: {
    readonly configuration: PeerConfiguration;
    readonly metricCalls: number;
    readonly seeds: number;
    readonly neverRepeats?: boolean;
  },
): Promise<readonly RunFigures[]> {
  const options = peerConfigurations[configuration];
  const jobs = tasks.flatMap((_, task) =>
    Array.from({ length: seeds }, (__, seed) => ({
      task,
      seed,
      metricCalls,
      neverRepeats,
      options,
    })),
  );
  const answers = await peer.run<{
    readonly texts: Readonly<Record<string, string>>;
    readonly metricCalls: number;
    readonly reflectionCalls: number;
  }>(tasks, jobs);
  return answers.map(({ texts, ...counts }, place) => {
    const { task: number = 0, seed = 0 } = jobs[place] ?? {};
    const task = tasks[number] as CoupledTask;
    return {
      task: task.seed,
      seed,
      val: coupledMean(task, "val", texts),
      test: coupledMean(task, "test", texts),
      ...counts,
    };
  });
}
