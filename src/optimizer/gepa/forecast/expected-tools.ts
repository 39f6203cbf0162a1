import { withChanges } from "../../../internal/index.ts";
import type { AheadRun } from "../../contract/optimizer.ts";
import type { EvaluateRequest, Rollout } from "../../evaluation/index.ts";
import type { Lessons } from "../lesson/lessons.ts";
import { minibatchChoice } from "../minibatch/minibatch-choice.ts";
import type { EvaluationRequest } from "../score-reuse/evaluate-with-reuse.ts";
import type { Evidence } from "../score-reuse/evidence.ts";
import type { Tools } from "../state/tools.ts";

/** What is expected needs work that is not made ahead. */
export class NotAhead extends Error {}

export interface AheadLimits {
  /** Rollouts that the search may spend before it gets there. */
  readonly reserved: number;
  /** Whether runs on train are made ahead, or texts alone. */
  readonly makesRuns: boolean;
}

/**
 * Tools for stages that work out what the search would do: what these decide changes nothing of the
 * search and tells nobody. Only texts and runs on train are made, and held for the search.
 */
export function expectedTools(
  tools: Tools,
  ahead: AheadRun,
  { reserved, makesRuns }: AheadLimits,
): Tools {
  const { run } = tools;
  const lessons = tools.evidence.lessons.fork();
  return {
    ...tools,
    run: withChanges(run, {
      ...ahead,
      fits: ({ rollouts, reflectionCalls }) =>
        run.fits({ rollouts: rollouts + reserved, reflectionCalls }),
      rolloutsLeft: (texts) => Math.max(0, run.rolloutsLeft(texts) - reserved),
      emit: () => {},
      checkpoint: () => {},
    }),
    evidence: withChanges(tools.evidence, {
      lessons,
      evaluate: async (_, requests) => {
        const evaluations = [];
        const made = await runsOnTrain(requests, tools, makesRuns ? ahead : null);
        for (const [place, { candidate, split, exampleIds }] of requests.entries()) {
          const fresh = made[place] ?? [];
          const known = tools.evidence.known(requests[place]?.components ?? [], split);
          const judged = exampleIds.flatMap(
            (id) => fresh.find(({ exampleId }) => exampleId === id) ?? known(id) ?? [],
          );
          learn(lessons, candidate, [fresh, requests[place]?.isExploration === true ? judged : []]);
          evaluations.push(run.summarize(split, judged));
        }
        return evaluations;
      },
      measureAgain: () => Promise.reject(new NotAhead()),
    } satisfies Partial<Evidence>),
    minibatch: minibatchChoice(tools.settings.minibatch, lessons),
  };
}

/** Of each request, the rollouts that are not known. */
async function runsOnTrain(
  requests: readonly EvaluationRequest[],
  { evidence, rollouts, space }: Tools,
  ahead: AheadRun | null,
): Promise<readonly (readonly Rollout[])[]> {
  const isOnTrain = requests.every(({ split, candidate }) => {
    return split === "train" && candidate !== "proposed";
  });
  if (!isOnTrain) throw new NotAhead();
  const missing = requests.map(({ components, split, exampleIds }): EvaluateRequest => {
    const known = evidence.known(components, split);
    const open = evidence.mode.reusesOnTrain
      ? exampleIds.filter((id) => known(id) === undefined)
      : exampleIds;
    return { candidate: components, split, exampleIds: open };
  });
  const open = missing.filter(({ exampleIds }) => exampleIds.length > 0);
  if (open.length > 0 && ahead === null) throw new NotAhead();
  const made = open.length === 0 || ahead === null ? [] : await rollouts.make(open, ahead);
  // What gold finds out about these takes steps of its own.
  if (space.goldOf !== undefined) throw new NotAhead();
  let next = 0;
  return missing.map(({ exampleIds }) => (exampleIds.length === 0 ? [] : (made[next++] ?? [])));
}

function learn(
  lessons: Lessons,
  candidate: number | "proposed",
  rollouts: readonly (readonly Rollout[])[],
): void {
  if (candidate === "proposed") return;
  for (const some of rollouts) lessons.add(candidate, some);
}
