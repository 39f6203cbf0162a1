import type { SplitName } from "../../contract/index.ts";
import type { OptimizerEvent, PriceTable, RecordedRun } from "../../optimizer/index.ts";
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
}

/**
 * Reads a run's folder in one pass over its files, holding no reply; the run may be in progress.
 *
 * @throws EspalierError `file-missing`, `file-malformed`
 */
export function readRunHistory(folder: string): RunHistory {
  const moments: Moment[] = [];
  let unpaid: number[] = [];
  const recorded = readRun(folder, (event) => {
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
    if (event.kind === "proposal-skipped") moments.push(event);
  });
  const { figures, scores } = readReports(folder);
  const { prices } = recorded.run as { readonly prices?: PriceTable };
  return {
    recorded,
    moments,
    costUsd:
      prices === undefined ? null : costOfRoles(recorded.billed, prices) + recorded.unendedUsd,
    elapsedMs: recorded.elapsedMs,
    reported: { figures, scores },
  };
}
