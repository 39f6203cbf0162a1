import { contentHash, withChanges } from "../../../internal/index.ts";
import type { AheadRun, OptimizerRun } from "../../contract/optimizer.ts";
import type { EvaluateRequest, Rollout } from "../../evaluation/index.ts";

/** Rollouts of a run, some of which were made before the search needed them. */
export interface RolloutsAhead {
  /** The run, which takes the rollouts that are held instead of making them. */
  readonly run: OptimizerRun;
  /** Makes these rollouts, but for those that are held, and holds them until they are needed. */
  make(
    requests: readonly EvaluateRequest[],
    run: AheadRun,
  ): Promise<readonly (readonly Rollout[])[]>;
  /** Rollouts made ahead so far. */
  readonly made: number;
  /** Of these, those that the search has taken. */
  readonly used: number;
  /** What the run has spent, without rollouts that the search has not needed: as without these. */
  neededMetricCalls(): number;
}

export function rolloutsAhead(run: OptimizerRun): RolloutsAhead {
  /** By candidate and split, then by example. */
  const held = new Map<string, Map<string, Rollout>>();
  let [made, used] = [0, 0];
  const heldOf = (request: EvaluateRequest): ReadonlyMap<string, Rollout> => {
    const ofRequest = held.size === 0 ? undefined : held.get(keyOf(request));
    const ids = request.exampleIds.filter((id) => ofRequest?.has(id));
    return new Map(ids.map((id) => [id, ofRequest?.get(id) as Rollout]));
  };
  const take = (request: EvaluateRequest, { size }: ReadonlyMap<string, Rollout>): void => {
    if (size === 0) return;
    const key = keyOf(request);
    for (const id of request.exampleIds) held.get(key)?.delete(id);
    if (held.get(key)?.size === 0) held.delete(key);
    used += size;
  };
  const hold = (request: EvaluateRequest, rollouts: readonly Rollout[]): void => {
    const key = keyOf(request);
    const ofRequest = held.get(key) ?? new Map<string, Rollout>();
    held.set(key, ofRequest);
    for (const rollout of rollouts) ofRequest.set(rollout.exampleId, rollout);
    made += rollouts.length;
  };
  return {
    run: withChanges(run, {
      evaluate: async (requests) => {
        const known = requests.map(heldOf);
        for (const [place, request] of requests.entries()) take(request, known[place] ?? noneHeld);
        return completed(requests, known, (open) => run.evaluate(open));
      },
    }),
    make: async (requests, ahead) =>
      completed(requests, requests.map(heldOf), async (open) => {
        const rollouts = await ahead.evaluate(open);
        for (const [place, request] of open.entries()) hold(request, rollouts[place] ?? []);
        return rollouts;
      }),
    get made() {
      return made;
    },
    get used() {
      return used;
    },
    neededMetricCalls: () => run.spent.metricCalls - (made - used) * run.repetitions,
  };
}

const noneHeld: ReadonlyMap<string, Rollout> = new Map();

/** The rollouts of each request, in its order: the known ones, and the others from one step. */
async function completed(
  requests: readonly EvaluateRequest[],
  known: readonly ReadonlyMap<string, Rollout>[],
  evaluate: OptimizerRun["evaluate"],
): Promise<readonly (readonly Rollout[])[]> {
  if (known.every(({ size }) => size === 0)) return evaluate(requests);
  const missing = requests.map((request, place) => ({
    ...request,
    exampleIds: request.exampleIds.filter((id) => known[place]?.has(id) !== true),
  }));
  const open = missing.filter(({ exampleIds }) => exampleIds.length > 0);
  const fresh = open.length === 0 ? [] : await evaluate(open);
  let next = 0;
  return requests.map(({ exampleIds }, place) => {
    const isOpen = (missing[place]?.exampleIds.length ?? 0) > 0;
    const made = isOpen ? (fresh[next++] ?? []) : [];
    const byId = new Map(known[place]);
    for (const rollout of made) byId.set(rollout.exampleId, rollout);
    return exampleIds.flatMap((id) => byId.get(id) ?? []);
  });
}

/** What a rollout depends on besides its example. */
function keyOf(request: EvaluateRequest): string {
  return contentHash({ ...request, exampleIds: [] });
}
