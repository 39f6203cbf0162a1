import type { Json } from "../../contract/index.ts";
import { allOrAbort, at, listOf } from "../../internal/index.ts";
import type { CallGate } from "../budget/index.ts";
import type { Replay } from "./replay.ts";
import type { EvaluateRequest, Evaluator, Rollout } from "../evaluation/index.ts";
import { usageOfRollouts } from "../evaluation/index.ts";
import type { WorkLog } from "../run-folder/index.ts";
import { malformedLine, rolloutShape } from "../run-folder/index.ts";

/**
 * The requested rollouts, in order; work of this step that the log already holds is not repeated.
 */
export async function recordedRollouts(
  request: EvaluateRequest,
  {
    evaluator,
    log,
    gate,
    number,
    signal,
    onDone,
  }: {
    readonly evaluator: Evaluator;
    readonly log: WorkLog;
    readonly gate: CallGate;
    /** The number by which the log identifies the request. */
    readonly number: number;
    readonly signal: AbortSignal;
    readonly onDone: () => void;
  },
): Promise<readonly Rollout[]> {
  const { split, exampleIds } = request;
  const recorded = log.rollouts(number);
  for (const rollout of recorded.values()) {
    gate.addRecorded(usageOfRollouts([rollout]), rollout.worst);
  }
  const missing = recorded.size === 0 ? exampleIds : exampleIds.filter((id) => !recorded.has(id));
  const held = new Map(recorded);
  if (missing.length > 0) {
    await evaluator.evaluate({
      ...request,
      exampleIds: missing,
      keepsLessons: split === "train",
      scope: String(number),
      signal,
      onRollout: (rollout) => {
        log.addRollout(number, rollout);
        held.set(rollout.exampleId, rollout);
        onDone();
      },
    });
  }
  return exampleIds.flatMap((id) => held.get(id) ?? []);
}

/** Runs candidates on examples with recorded replies alone. */
export interface RecordedEvaluator extends Pick<Evaluator, "evaluate"> {
  /** Begins a step: forgets what was missing before. */
  begin(): void;
  /** Whether the run of an example asked for a reply that is not recorded. */
  lacksReply(exampleId: string): boolean;
}

/**
 * Those of the requested rollouts that recorded replies answer in full, in order. They are recorded
 * as an answer: a resumed run holds more replies than this one did.
 */
export async function answeredRollouts(
  requests: readonly EvaluateRequest[],
  {
    evaluator,
    past,
    signal,
  }: {
    readonly evaluator: RecordedEvaluator;
    readonly past: Pick<Replay, "observeLater">;
    readonly signal: AbortSignal;
  },
): Promise<readonly (readonly Rollout[])[]> {
  const answered = await past.observeLater(async () => {
    evaluator.begin();
    const judged = await allOrAbort(requests, signal, (request, signal) =>
      rolloutsOf(request, evaluator, signal),
    );
    // A rollout holds nothing but JSON.
    return judged.map((rollouts) =>
      rollouts.filter(({ exampleId }) => !evaluator.lacksReply(exampleId)),
    ) as unknown as Json;
  });
  // The log holds any answer to any question.
  const problem = listOf(listOf(rolloutShape))(answered);
  if (problem !== null) throw malformedLine("work.jsonl", at("answer", problem));
  return answered as unknown as readonly (readonly Rollout[])[];
}

async function rolloutsOf(
  request: EvaluateRequest,
  evaluator: RecordedEvaluator,
  signal: AbortSignal,
): Promise<readonly Rollout[]> {
  const { split, exampleIds } = request;
  const judged = new Map<string, Rollout>();
  await evaluator.evaluate({
    ...request,
    keepsLessons: split === "train",
    scope: "recorded",
    signal,
    onRollout: (rollout) => {
      // What took no time to answer says nothing of latency.
      const { latencyMs: _, ...timeless } = rollout;
      if (rollout.score.kind !== "unscored") judged.set(rollout.exampleId, timeless);
    },
  });
  return exampleIds.flatMap((id) => judged.get(id) ?? []);
}
