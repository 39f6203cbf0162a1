import type { SplitName } from "../../contract/index.ts";
import type {
  OptimizerEvent,
  PriceTable,
  RecordedRun,
  RolloutLesson,
  RunWork,
} from "../../optimizer/index.ts";
import type { ReportsFile } from "../../optimizer/files.ts";
import { costOfRoles, readReports, readRun } from "../../optimizer/files.ts";

/** What a run's folder says, in the order in which it happened. */
export interface RunHistory {
  readonly recorded: RecordedRun;
  readonly moments: readonly Moment[];
  /** US dollars for what was sent, with calls of unknown end at their worst; `null` unpriced. */
  readonly costUsd: number | null;
  /** Wall time of all processes. */
  readonly elapsedMs: number;
  /** What reports on test found. */
  readonly reported: Pick<ReportsFile, "figures" | "scores">;
}

/** What a comparison needs of one event. */
export type Moment =
  | Evaluated
  | { readonly kind: "iteration-start" }
  | { readonly kind: "accepted"; readonly candidate: number }
  | { readonly kind: "refused"; readonly refusal: number }
  | Extract<OptimizerEvent, { readonly kind: "proposal-skipped" }>;

/** One evaluation of one candidate. */
export interface Evaluated {
  readonly kind: "evaluated";
  readonly candidate: number | "proposed";
  readonly iteration: number;
  readonly split: SplitName;
  readonly value: number | null;
  readonly scores: Readonly<Record<string, number | null>>;
  readonly reused: number;
  /** Spent by its end. */
  readonly metricCalls: number;
  /**
   * The rollouts that were run for it; `undefined` where the files do not tell them from others.
   */
  readonly ran: Ran | undefined;
}

/** Rollouts by example id. */
export type Ran = ReadonlyMap<string, RanRollout>;

interface RanRollout {
  /** `null` where the metric does not apply or a fault remained. */
  readonly value: number | null;
  /** Of examples of train. */
  readonly lesson?: RolloutLesson;
}

/**
 * Reads a run's folder in one pass over its files, holding no reply; the run may be in progress.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export function readRunHistory(folder: string): RunHistory {
  const moments: Unmatched[] = [];
  let unpaid: number[] = [];
  let rejections = 0;
  const steps = new Map<number, Map<string, RanRollout>>();
  let [elapsedMs, unendedUsd] = [0, 0];
  const recorded = readRun(folder, {
    onEvent: (event) => {
      if (event.kind === "candidate-evaluated") {
        const { candidate, iteration, split, value, scores, reused } = event;
        unpaid.push(moments.length);
        moments.push({
          kind: "evaluated",
          candidate,
          iteration,
          split,
          value,
          scores,
          reused,
          metricCalls: 0,
        });
      }
      if (event.kind === "budget-spent") {
        for (const index of unpaid) {
          moments[index] = { ...(moments[index] as Evaluated), metricCalls: event.metricCalls };
        }
        unpaid = [];
      }
      if (event.kind === "iteration-start") moments.push({ kind: "iteration-start" });
      if (event.kind === "candidate-accepted") {
        moments.push({ kind: "accepted", candidate: event.candidate });
      }
      if (event.kind === "candidate-refused")
        moments.push({ kind: "refused", refusal: rejections++ });
      if (event.kind === "proposal-skipped") moments.push(event);
    },
    onWork: (work) => {
      if (work.kind === "elapsed") elapsedMs = work.ms;
      if (work.kind === "unended") unendedUsd = work.usd;
      if (work.kind === "restart") steps.clear();
      if (work.kind === "rollout") noteRollout(steps, work);
    },
  });
  const { figures, scores } = readReports(folder);
  const { prices } = recorded.run as { readonly prices?: PriceTable };
  return {
    recorded,
    moments: withRollouts(moments, steps),
    costUsd: prices === undefined ? null : costOfRoles(recorded.billed, prices) + unendedUsd,
    elapsedMs,
    reported: { figures, scores },
  };
}

type Unmatched = Exclude<Moment, Evaluated> | Omit<Evaluated, "ran">;

function noteRollout(
  steps: Map<number, Map<string, RanRollout>>,
  { step, rollout }: Extract<RunWork, { readonly kind: "rollout" }>,
): void {
  const { exampleId, score, lesson } = rollout;
  const ran: RanRollout = {
    value: score.kind === "scored" ? score.value : null,
    ...(lesson && { lesson }),
  };
  const ofStep = steps.get(step);
  if (ofStep === undefined) steps.set(step, new Map([[exampleId, ran]]));
  else ofStep.set(exampleId, ran);
}

/** How many steps further on the rollouts of an evaluation are looked for. */
const lookAhead = 64;

/**
 * The journal does not say which step an evaluation is of, but both are in the order in which they
 * were requested: an evaluation's step is the next one that has as many rollouts as the evaluation
 * has scores that it did not inherit, of its examples and with its scores.
 */
function withRollouts(
  moments: readonly Unmatched[],
  steps: ReadonlyMap<number, Ran>,
): readonly Moment[] {
  const inOrder = [...steps].toSorted(([one], [other]) => one - other).map(([, ran]) => ran);
  let next = 0;
  return moments.map((moment): Moment => {
    if (moment.kind !== "evaluated") return moment;
    const count = Object.keys(moment.scores).length - moment.reused;
    if (count === 0) return { ...moment, ran: new Map() };
    const isOfMoment = (ran: Ran): boolean => ran.size === count && isOf(ran, moment);
    const index = inOrder.slice(next, next + lookAhead).findIndex(isOfMoment);
    if (index < 0) return { ...moment, ran: undefined };
    next += index + 1;
    return { ...moment, ran: inOrder[next - 1] };
  });
}

function isOf(ran: Ran, { scores }: Pick<Evaluated, "scores">): boolean {
  for (const [id, { value }] of ran) if (scores[id] !== value) return false;
  return true;
}
