import { contentHash } from "../../internal/index.ts";
import type { OptimizerRun } from "../contract/optimizer.ts";
import type { EvaluateRequest, NumberedRollout, Rollout } from "../evaluation/index.ts";

/** The rollouts of a run, which later parts need not pay for again. */
export interface PaidRollouts {
  /** Rollouts of train by the parts before. */
  readonly ofTrain: readonly NumberedRollout[];
  /** Evaluates what the parts before have not. */
  evaluate: OptimizerRun["evaluate"];
  /** Number of rollouts that these requests would cost. */
  missing(requests: readonly EvaluateRequest[]): number;
  /** Ends a part: what it paid for is free from now on. */
  close(): void;
}

export function paidRollouts(run: OptimizerRun): PaidRollouts {
  /** Everything that a rollout depends on, except its example. */
  const keyOf = ({ exampleIds: _exampleIds, lm, ...request }: EvaluateRequest): string =>
    contentHash(run.hasTeacher && lm !== undefined ? { ...request, lm } : request);
  const earlier = new Map<string, Map<string, Rollout>>();
  const ofTrain: NumberedRollout[] = [];
  let current: { readonly request: EvaluateRequest; readonly rollouts: readonly Rollout[] }[] = [];
  const knownTo = (request: EvaluateRequest): ReadonlyMap<string, Rollout> =>
    (earlier.size === 0 ? undefined : earlier.get(keyOf(request))) ?? none;
  const missingOf = (request: EvaluateRequest): EvaluateRequest => {
    const known = knownTo(request);
    if (known.size === 0) return request;
    return { ...request, exampleIds: request.exampleIds.filter((id) => !known.has(id)) };
  };
  return {
    ofTrain,
    missing: (requests) =>
      requests.reduce((sum, request) => sum + missingOf(request).exampleIds.length, 0),
    evaluate: async (requests) => {
      const missing = requests.map(missingOf);
      const isAllKnown = missing.every(({ exampleIds }) => exampleIds.length === 0);
      const judged = isAllKnown ? [] : await run.evaluate(missing);
      current.push(
        ...missing.map((request, place) => ({ request, rollouts: judged[place] ?? [] })),
      );
      return requests.map((request, place) => {
        const known = knownTo(request);
        const fresh = new Map((judged[place] ?? []).map((one) => [one.exampleId, one]));
        return request.exampleIds.flatMap((id) => known.get(id) ?? fresh.get(id) ?? []);
      });
    },
    close: () => {
      for (const { request, rollouts } of current) {
        const key = keyOf(request);
        const held = earlier.get(key) ?? new Map<string, Rollout>();
        earlier.set(key, held);
        // A fault may not come again.
        const scored = rollouts.filter(({ score }) => score.kind !== "unscored");
        for (const rollout of scored) held.set(rollout.exampleId, rollout);
        if (request.split !== "train" || request.gold !== undefined) continue;
        const round = request.round === undefined ? {} : { round: request.round };
        ofTrain.push(...scored.map((rollout) => ({ rollout, ...round })));
      }
      current = [];
    },
  };
}

const none: ReadonlyMap<string, Rollout> = new Map();
